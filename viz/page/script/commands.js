// The commands of a change script and the lists beside the picture: choosing a command shows what
// is apart after it.

import { element, hint, plural, say, serverButton, serverCount } from "./document.js";
import { fillLegend } from "./legend.js";
import { model } from "./model.js";
import { countDiscs } from "./overview.js";
import { pageSaid, tell } from "./said.js";
import { hasOwnLooks, serverNode } from "./servers.js";
import { redraw, view } from "./view.js";

// The marks that the answer gives come back when no command is chosen.
export function chooseCommand(number) {
  view.command = number === view.command ? null : number;
  const marks = view.command === null ? (view.answer || pageSaid).servers : new Map();
  for (const server of model.servers) tell(server, marks.get(server.name));
  for (const { server, mark, pairs, part } of view.command === null
    ? []
    : model.commands[view.command]) {
    const note = `${plural(pairs, "ordered pair")} with other servers apart after command ${view.command + 1}`;
    tell(server, { mark, note, part });
  }
  countDiscs();
  document
    .querySelectorAll("button.apart-after")
    .forEach((button) =>
      button.setAttribute("aria-pressed", String(Number(button.dataset.command) === view.command)),
    );
  const text =
    view.command === null
      ? ""
      : `What is apart after command ${view.command + 1}: ${serverCount(model.commands[view.command].length)}`;
  hint(text);
  say(text || "What is different after all commands");
  view.nodes.update(model.servers.filter(hasOwnLooks).map(serverNode));
  fillLegend();
  redraw();
}

export function fillCommands() {
  document
    .querySelectorAll(".answer [data-server]")
    .forEach((place) => place.replaceWith(serverButton(place.dataset.server)));
  document.querySelectorAll(".commands > li").forEach((entry) => {
    const number = entry.value - 1;
    const details = entry.querySelector("details");
    if (!details || !model.commands[number] || !model.commands[number].length) return;
    const listener = { click: () => chooseCommand(number) };
    const button = element(
      "button",
      {
        type: "button",
        class: "apart-after",
        "data-command": number,
        "aria-pressed": "false",
        on: listener,
      },
      "Show in the picture",
    );
    button.append(
      element("span", { class: "unseen" }, ` what is apart after command ${number + 1}`),
    );
    entry.append(button);
  });
}
