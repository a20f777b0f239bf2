// Where brokers and containers are that servers connect to.

import { model } from "./model.js";

// Half the width of a drum, in the picture's units.
export const DRUM = 11;

export function attachedShown() {
  return model.attached.filter(({ servers }) => servers.every((server) => !server.hidden));
}

export function attachedPlace({ servers, x, y }) {
  return { x: servers[0].x + x, y: servers[0].y + y };
}
