// Search: type to find servers and zones, arrows choose, Enter jumps, Escape clears.

import { byId, element, say, serverCount } from "./document.js";
import { model } from "./model.js";
import { select } from "./selection.js";
import { showZone } from "./shown.js";
import { redraw, view } from "./view.js";

const MOST_FOUND = 8;

// A line of the list that says something and cannot be chosen.
const NO_CHOICE = {
  class: "muted",
  role: "option",
  "aria-disabled": "true",
  "aria-selected": "false",
};

const search = { found: [], chosen: -1 };

function findMatches(text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const rank = (name) => {
    const at = name.toLowerCase().indexOf(wanted);
    return at < 0 ? -1 : (name.length === wanted.length ? 0 : 1) + (at > 0 ? 1 : 0);
  };
  const matches = [];
  for (const server of model.servers) {
    const order = rank(server.name);
    if (order >= 0) matches.push({ order, name: server.name, kind: "server", server });
  }
  for (const zone of model.zones) {
    const order = rank(zone.name);
    if (order >= 0) matches.push({ order: order + 0.5, name: zone.name, kind: zone.kind, zone });
  }
  return matches.sort((one, other) => one.order - other.order || (one.name < other.name ? -1 : 1));
}

function updateSearch() {
  const box = byId("search");
  const matches = findMatches(box.value);
  search.found = matches.slice(0, MOST_FOUND);
  search.chosen = search.found.length ? 0 : -1;
  view.found = new Set(matches.filter(({ server }) => server).map(({ server }) => server));
  if (view.found.size > 60) view.found = new Set([...view.found].slice(0, 60));
  listFound(matches.length);
  if (box.value.trim()) say(matches.length ? `${matches.length} found` : "nothing found");
  redraw();
}

function listFound(count) {
  const box = byId("search"),
    list = byId("found");
  const entries = search.found.map((match, index) =>
    element(
      "li",
      {
        id: `found-${index}`,
        role: "option",
        "aria-selected": String(index === search.chosen),
        on: { mousedown: (event) => event.preventDefault(), click: () => jumpTo(match) },
      },
      match.name,
      element(
        "span",
        { class: "muted" },
        match.zone ? ` ${match.kind}, ${serverCount(match.zone.servers.length)}` : "",
      ),
    ),
  );
  if (box.value.trim() && !count) entries.push(element("li", NO_CHOICE, "nothing found"));
  if (count > search.found.length)
    entries.push(element("li", NO_CHOICE, `and ${count - search.found.length} more`));
  list.replaceChildren(...entries);
  list.hidden = !entries.length;
  box.setAttribute("aria-expanded", String(!list.hidden));
  if (search.chosen >= 0) box.setAttribute("aria-activedescendant", `found-${search.chosen}`);
  else box.removeAttribute("aria-activedescendant");
}

function jumpTo(match) {
  closeFound();
  // Where the keys of the picture are: Escape takes search and selection back, N goes on from here.
  byId("canvas").focus({ preventScroll: true });
  if (match.zone) {
    showZone(match.zone);
    say(`${match.kind} ${match.name}, ${serverCount(match.zone.servers.length)}`);
  } else select(match.server, { jump: true });
}

function closeFound() {
  byId("found").hidden = true;
  byId("search").setAttribute("aria-expanded", "false");
}

export function clearSearch() {
  byId("search").value = "";
  updateSearch();
}

export function listenToSearch() {
  const box = byId("search");
  box.addEventListener("input", updateSearch);
  box.addEventListener("blur", closeFound);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && search.chosen >= 0) jumpTo(search.found[search.chosen]);
    else if (event.key === "Escape" && box.value) {
      clearSearch();
      event.stopPropagation();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && search.found.length) {
      const step = event.key === "ArrowDown" ? 1 : search.found.length - 1;
      search.chosen = (search.chosen + step) % search.found.length;
      listFound(findMatches(box.value).length);
    } else return;
    event.preventDefault();
  });
}
