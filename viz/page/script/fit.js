// Where the camera goes: the first view, everything, what the answer is about.

import { answerServers } from "./answer.js";
import { attachedPlace, attachedShown } from "./attachedplaces.js";
import { hint, plural, serverCount } from "./document.js";
import { closedFolds, embeddedData, model } from "./model.js";
import { inOverview, overview } from "./overview.js";
import { showAllServers, showDiscs } from "./shown.js";
import { fittingScale, showServers, visibleServers } from "./view.js";

// Everything, unless the answer is about a small part of it.
export function firstView({ moving = false } = {}) {
  if (inOverview()) {
    showDiscs(overview.discs, { moving });
    hint(
      `${plural(overview.discs.length, "disc")} for ${serverCount(model.servers.length)}: click one to open it`,
    );
    return;
  }
  const added = embeddedData.added.nodes.filter(
    ({ x, y }) => Number.isFinite(x) && Number.isFinite(y),
  );
  if (!model.servers.length && !added.length) hint("There is nothing to draw");
  const all = [
      ...visibleServers(),
      ...closedFolds(),
      ...attachedShown().map(attachedPlace),
      ...added,
    ],
    told = answerServers();
  const close =
    told.length > 1 && all.length > 60 && fittingScale(told, 0.8) > 2.2 * fittingScale(all);
  showServers(close ? told : all, close ? { moving, closest: 0.8 } : { moving });
  if (close)
    hint(`What the answer is about; Fit shows all ${serverCount(visibleServers().length)}`);
}

// Everything that is shown, as large as it fits.
export function showEverything() {
  if (inOverview()) showDiscs(overview.open ? [overview.open] : overview.discs);
  else showServers([...visibleServers(), ...closedFolds(), ...attachedShown().map(attachedPlace)]);
}

// What the answer is about; from an overview, with all servers in their places.
export function showAnswerServers() {
  if (inOverview()) showAllServers();
  showServers(answerServers());
}
