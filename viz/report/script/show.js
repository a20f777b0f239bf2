// Buttons outside of the picture: show servers in it, and copy what stands beside.

import { laterData } from "../../page/packed/unpacked.js";
import { rowsOf } from "../../page/script/compact.js";
import { copyText } from "../../page/script/copying.js";
import { byId, element, hint, say } from "../../page/script/document.js";
import { whenIdle } from "../../page/script/idle.js";
import { model } from "../../page/script/model.js";
import { inOverview } from "../../page/script/overview.js";
import { select } from "../../page/script/selection.js";
import { showAllServers } from "../../page/script/shown.js";
import { inThousands } from "../../page/script/texts.js";
import { showServers } from "../../page/script/view.js";

document.addEventListener("click", async ({ target }) => {
  const button =
    target instanceof Element
      ? target.closest("button[data-show], button[data-copy], button[data-more]")
      : null;
  if (!(button instanceof HTMLElement)) return;
  if (button.dataset.more) {
    await listAll(button);
    return;
  }
  if (button.dataset.copy) {
    await copyText(byId(button.dataset.copy).textContent);
    return;
  }
  const servers = JSON.parse(button.dataset.show)
    .map((name) => model.byName.get(name))
    .filter(Boolean);
  if (!servers.length) {
    say("Not in this picture");
    return;
  }
  byId("picture").scrollIntoView();
  if (inOverview() && servers.length > 1) showAllServers();
  showServers(servers, { closest: 1.4 });
  if (servers.length === 1) select(servers[0]);
  else hint(servers.map((server) => server.name).join(", "));
  byId("canvas").focus({ preventScroll: true });
});

// A button at the end of each row that is about servers of the picture: a link, a server or a zone.
function addShowButtons() {
  for (const row of document.querySelectorAll("main tr:is([data-server], [data-zone])")) {
    const cell = row.lastElementChild;
    if (cell.localName !== "td" || cell.childNodes.length) continue;
    const { server, link, zone } = row.dataset;
    const inZone = zone
      ? model.zones.filter((one) => one.name === zone).flatMap((one) => one.servers)
      : [];
    const names = link ? JSON.parse(link) : server ? [server] : inZone.map((one) => one.name);
    if (!names.length) continue;
    const label = `show ${zone || names.join(" and ")} in the picture`;
    cell.append(
      element(
        "button",
        { type: "button", class: "show", "data-show": JSON.stringify(names), "aria-label": label },
        "show",
      ),
    );
  }
}

whenIdle(addShowButtons);

// The parts below the first screen wait for its first drawing (``style.css``). Each is laid out in a turn
// of its own.
for (const part of document.querySelectorAll(".first-screen ~ section")) {
  whenIdle(() => {
    part.classList.add("laid-out");
    part.getBoundingClientRect();
  });
}

// The commands of a change stand once: with the change, in the form that also shows in the picture
// what each takes apart.
function moveCommands() {
  const beside = document.getElementById("commands");
  const place = document.getElementById("changes-commands");
  if (!beside || !place) return;
  beside.querySelector("h2").remove();
  place.replaceChildren(...beside.childNodes);
  beside.remove();
}

moveCommands();

// The rows of a table that its markup leaves out, looking like its first one.
async function listAll(button) {
  await laterData.when;
  if (!button.isConnected) return;
  const name = button.dataset.more;
  const body = document.querySelector(`table[data-table="${name}"] tbody`);
  const [first] = body.rows;
  const rows = rowsOf(JSON.parse(byId("more-rows").textContent)[name]).map((cells) => {
    const row = element(
      "tr",
      name === "inventory"
        ? { "data-server": cells[0] }
        : name === "zones"
          ? { "data-zone": cells[0] }
          : {},
    );
    row.append(
      ...[...first.cells].map((cell, index) => {
        const value = index < cells.length ? cells[index] : "";
        const text = typeof value === "number" ? inThousands(value) : value;
        const attributes = { class: cell.classList.contains("number") ? "number" : null };
        if (index === 0) return element("th", { scope: "row" }, element("bdi", {}, text));
        return element(
          "td",
          attributes,
          cell.querySelector("code") ? element("code", {}, text) : text,
        );
      }),
    );
    return row;
  });
  body.append(...rows);
  addShowButtons();
  button.parentElement.remove();
  say(`${rows.length} more rows`);
}
