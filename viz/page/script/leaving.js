// Links that leave the picture: short lines at their server with their number, and how many servers
// lie behind.

import { boxOf } from "./boxes.js";
import { colours } from "./colours.js";
import { serverCount } from "./document.js";
import { textOnGround } from "./linktexts.js";
import { isFolded, otherEnd } from "./model.js";
import { FONT, boxAt, free, placed, textWidth, texts, whole } from "./room.js";
import { answered } from "./said.js";
import { reachOf, serverRadius } from "./servers.js";
import { onScreen, view, visibleServers } from "./view.js";

// How many links of a server lead out of what is shown, and to how many servers: those that the
// picture never had, and those that are hidden now.
export function leaving(server) {
  let links = server.leaving,
    servers = server.behind;
  if (view.neighbourhood) {
    const seen = new Set();
    const waiting = [];
    for (const link of server.links) {
      const other = otherEnd(link, server);
      if (other.hidden && !isFolded(other) && !seen.has(other)) {
        seen.add(other);
        waiting.push(other);
      }
    }
    links += seen.size;
    while (waiting.length) {
      const at = waiting.pop();
      servers += at.behind;
      for (const link of at.links) {
        const other = otherEnd(link, at);
        if (other.hidden && !seen.has(other)) {
          seen.add(other);
          waiting.push(other);
        }
      }
    }
    servers += seen.size;
  }
  return { links, servers };
}

export function leavingWords({ links, servers }) {
  const near = `${serverCount(links)} next to it`;
  return servers > links ? `${near}, ${servers} with all that lie behind` : near;
}

function leavingText({ links, servers }) {
  return servers > links ? `+${links} → ${servers}` : `+${links}`;
}

// The middle of the widest free angle between the links of a server.
function freeSide(server) {
  const angles = server.links
    .map((link) => otherEnd(link, server))
    .filter((other) => other !== server && !other.hidden)
    .map((other) => Math.atan2(other.y - server.y, other.x - server.x))
    .sort((one, two) => one - two);
  if (!angles.length) return 0;
  let best = 0,
    widest = -1;
  angles.forEach((angle, index) => {
    const next = index + 1 < angles.length ? angles[index + 1] : angles[0] + 2 * Math.PI;
    if (next - angle > widest) {
      widest = next - angle;
      best = angle + widest / 2;
    }
  });
  return best;
}

const LEAVING_LENGTH = 20;

export function drawLeaving(context) {
  const thin = 1 / view.scale;
  const shape = new Path2D();
  for (const server of visibleServers()) {
    const { links } = leaving(server);
    if (!links) continue;
    const middle = freeSide(server),
      number = Math.min(links, 3);
    for (let index = 0; index < number; index += 1) {
      const angle = middle + (index - (number - 1) / 2) * 0.35;
      const across = Math.cos(angle),
        down = Math.sin(angle);
      const radius = boxOf(server) ? reachOf(server, angle) : serverRadius(server);
      shape.moveTo(server.x + across * radius, server.y + down * radius);
      shape.lineTo(
        server.x + across * (radius + LEAVING_LENGTH * thin),
        server.y + down * (radius + LEAVING_LENGTH * thin),
      );
    }
  }
  context.strokeStyle = answered ? colours.faded : colours.line;
  context.lineWidth = 1.4 * thin;
  context.setLineDash([5 * thin, 2 * thin, 3 * thin, 2.5 * thin, 1.5 * thin, 3 * thin]);
  context.stroke(shape);
  context.setLineDash([]);
}

export function drawLeavingTexts(context) {
  const font = `600 11px ${FONT}`;
  for (const server of visibleServers()) {
    const gone = leaving(server);
    if (!gone.links) continue;
    const text = leavingText(gone);
    const angle = freeSide(server),
      at = onScreen(server.x, server.y);
    const width = textWidth(context, font, text) + 6,
      height = 14;
    const edge = boxOf(server) ? reachOf(server, angle) : serverRadius(server);
    const reach = edge * view.scale + LEAVING_LENGTH + 3;
    const beyond =
      Math.abs(Math.cos(angle)) * (width / 2) + Math.abs(Math.sin(angle)) * (height / 2);
    const places = [0, 0.6, -0.6, 1.2, -1.2].map((turn) => {
      const away = turn ? reach - 8 + beyond : reach + beyond;
      return boxAt(
        at.x + Math.cos(angle + turn) * away,
        at.y + Math.sin(angle + turn) * away,
        width,
        height,
      );
    });
    const box = places.find((one) => whole(one) && free(one));
    if (!box) continue;
    placed.push(box);
    texts.push({ kind: "leaving", text, ...box });
    textOnGround(context, text, box, font, answered ? colours.muted : colours.text);
  }
}
