// The overview of a large network: discs for zones instead of servers. A disc opens in its place,
// and its servers stand in it.

/**
 * A zone, or a group of servers in no zone. What the answer says of it (`shares` by mark,
 * `blocked`, `result`) is counted by `countDiscs`.
 * @typedef {{index: number, name: string, type: string, zone: any, servers: any[], links: number, unloaded: number, worst: string, x: number, y: number,
 *   radius: number, shares: Map<string, number>, blocked: number, result: string, about: string,
 *   lines: any[]}} OverviewDisc
 * @typedef {{ends: [OverviewDisc, OverviewDisc], links: number, servers: string[], blocked:
 *   number}} Bundle
 */

/**
 * Null where the picture begins with its servers. `whole` is true while all servers are shown
 * instead, `open` is the disc whose servers are shown.
 * @type {{discs: OverviewDisc[], bundles: Bundle[], words: [string, string][], whole: boolean, open: OverviewDisc | null, chosen: OverviewDisc | null,
 *   hovered: OverviewDisc | null, widest: number | null} | null}
 */
const overview = (() => {
  const given = embeddedData.overview;
  if (!given) return null;
  const texts = embeddedData.texts;
  const discs = given.discs.map(([name, servers, links, worst, x, y, radius], index) => {
    const zone = servers === 0 ? model.zones[index] : null;
    const own = zone ? zone.servers : servers.map((server) => model.byName.get(texts[server]));
    const unloaded = own.filter((server) => !server.loaded).length;
    const type = zone ? zone.type : "";
    const said = { shares: new Map(), blocked: 0, result: "" };
    return {
      index,
      name: texts[name],
      type,
      zone,
      servers: own,
      links,
      unloaded,
      worst: texts[worst],
      x,
      y,
      radius,
      ...said,
      about: "",
      lines: [],
    };
  });
  model.servers.forEach((server, index) => {
    server.home = discs[given.homes[index]];
    server.own = { x: server.x, y: server.y };
    server.discs = [];
  });
  for (const disc of discs) for (const server of disc.servers) server.discs.push(disc);
  const bundles = given.bundles.map(([first, second, links, servers]) => ({
    ends: [discs[first], discs[second]],
    links,
    servers: servers.map((server) => texts[server]),
    blocked: 0,
  }));
  return {
    discs,
    bundles,
    words: given.words,
    whole: false,
    open: null,
    chosen: null,
    hovered: null,
    widest: null,
  };
})();

// Whether discs are what is shown at the moment.
function inOverview() {
  return overview !== null && !overview.whole && view.neighbourhood === null;
}

// Whether discs are all that is shown: no server and no link.
function onlyDiscs() {
  return inOverview() && !overview.open;
}

// The disc that a link lies in, or null where it joins two.
function discOfLink(link) {
  if (link.inZone) return overview.discs[link.inZone.index];
  const shared = link.a.discs.filter((disc) => link.b.discs.includes(disc));
  return [link.a.home, link.b.home].find((disc) => shared.includes(disc)) || shared[0] || null;
}

/**
 * How many of each disc's servers the answer says what of, and how often the message goes no
 * further: as ``viz/overview.py`` counts.
 */
function countDiscs() {
  if (!overview) return;
  for (const disc of overview.discs) {
    disc.shares = new Map();
    disc.blocked = 0;
    for (const { mark } of disc.servers)
      if (mark) disc.shares.set(mark, (disc.shares.get(mark) || 0) + 1);
  }
  for (const bundle of overview.bundles) bundle.blocked = 0;
  for (const block of model.blocks) {
    const at = model.byName.get(block.at);
    const disc = block.link ? discOfLink(block.link) : at && at.home;
    if (disc) disc.blocked += 1;
    else if (block.link) {
      const homes = [block.link.a.home, block.link.b.home];
      const bundle = overview.bundles.find(({ ends }) => ends.every((end) => homes.includes(end)));
      if (bundle) bundle.blocked += 1;
    }
  }
  const reach =
    model.about.question === "reach" && model.servers.some(({ mark }) => mark === "reached");
  for (const disc of overview.discs) disc.result = resultOf(disc, reach);
}

function resultOf({ shares, servers, blocked }, reach) {
  const parts = [];
  const some = (mark) => shares.get(mark) || 0;
  if (reach)
    parts.push(
      `reached ${inThousands(some("reached") + some("asked") + some("target"))}/${inThousands(servers.length)}`,
    );
  else if (some("asked")) parts.push("asked from here");
  for (const [mark, words] of overview.words)
    if (some(mark)) parts.push(`${words} ${inThousands(some(mark))}`);
  if (some("undetermined")) parts.push(`${inThousands(some("undetermined"))} undetermined`);
  if (blocked) parts.push(`blocked ${inThousands(blocked)} ${blocked === 1 ? "time" : "times"}`);
  return parts.join("; ");
}

/** The discs that a path passes, each with its first and last step there. */
function discsOnPath(path) {
  const passed = [];
  const enter = (disc, number) => {
    const last = passed[passed.length - 1];
    if (last && last.disc === disc) last.to = number;
    else passed.push({ disc, from: number, to: number });
  };
  for (const step of path.steps) {
    const disc = step.link && discOfLink(step.link);
    if (disc) enter(disc, step.number);
    else if (step.from !== step.to) {
      for (const end of [step.from, step.to])
        if (model.byName.has(end)) enter(model.byName.get(end).home, step.number);
    }
  }
  return passed;
}

// --- opening and closing ---

// A disc's servers as they stand to each other in the whole picture, made small enough for the
// disc.
function openDisc(disc, { details = true } = {}) {
  putBack();
  overview.open = disc;
  overview.chosen = disc;
  overview.hovered = null;
  const { left, right, top, bottom } = boxAround(disc.servers, 0);
  const x = (left + right) / 2,
    y = (top + bottom) / 2;
  const far = Math.max(1, ...disc.servers.map((server) => Math.hypot(server.x - x, server.y - y)));
  const scale = Math.min(1, (disc.radius * 0.8) / far);
  const inside = new Set(disc.servers);
  for (const server of disc.servers)
    Object.assign(server, {
      x: disc.x + (server.x - x) * scale,
      y: disc.y + (server.y - y) * scale,
    });
  // Names of servers that come near to each other would hide them.
  view.size = Math.max(0.25, Math.min(1, (scale * nearestTwo(disc.servers, scale)) / 40));
  hideServers((server) => !inside.has(server), { anew: inside });
  overviewChanged();
  showDisc(disc);
  if (details && !narrow.matches) showDetails(discDetails(disc));
  say(
    `${discTitle(disc)} is open: ${serverCount(disc.servers.length)}. ${disc.result} Escape closes it.`,
  );
}

// The distance between the two nearest of some servers, before they were moved together.
function nearestTwo(servers, scale) {
  const order = [...servers].sort((one, other) => one.x - other.x);
  let least = 100 * scale;
  for (let index = 0; index < order.length; index += 1) {
    for (
      let next = index + 1;
      next < order.length && order[next].x - order[index].x < least;
      next += 1
    ) {
      least = Math.min(
        least,
        Math.hypot(order[next].x - order[index].x, order[next].y - order[index].y),
      );
    }
  }
  return least / scale;
}

function closeDisc() {
  const { open } = overview;
  clearSelection();
  showZones();
  overview.chosen = open;
  say(`${discTitle(open)} is closed`);
}

function showZones({ moving = true } = {}) {
  putBack();
  overview.whole = false;
  overview.open = null;
  hideServers(() => true);
  overviewChanged();
  showDiscs(overview.discs, { moving });
  hint(
    `${plural(overview.discs.length, "disc")} for ${serverCount(model.servers.length)}: click one to open it`,
  );
}

function showAllServers() {
  putBack();
  overview.whole = true;
  overview.open = null;
  hideServers(() => false);
  overviewChanged();
  hint("");
  say("All servers are shown");
}

// What is shown while there is no neighbourhood: everything, or in an overview the discs.
function showUsual(options) {
  if (overview && !overview.whole) showZones(options);
  else hideServers(() => false);
}

// Every server where it stands in the whole picture.
function putBack() {
  view.size = 1;
  if (overview.open) for (const server of overview.open.servers) Object.assign(server, server.own);
}

function overviewChanged() {
  const button = byId("zones-or-servers");
  button.hidden = false;
  button.textContent = overview.whole ? "Zones" : `All ${model.about.nouns[1]}`;
  button.title = overview.whole ? "Show a disc for each zone" : "Show every server in its place";
  refillLegend();
  redraw();
}

// --- finding one's way ---

function showDiscs(discs, { moving = true } = {}) {
  showServers(
    discs.flatMap(({ x, y, radius }) => [
      { x: x - radius + AROUND, y: y - radius + AROUND },
      { x: x + radius - AROUND, y: y + radius - AROUND },
    ]),
    { moving, closest: 1.7 },
  );
}

function showDisc(disc) {
  showDiscs([disc]);
}

function discAt({ x, y }) {
  return overview.discs.find((disc) => Math.hypot(disc.x - x, disc.y - y) <= disc.radius) || null;
}

function firstDisc() {
  const asked = model.servers.find((server) => server.mark === "asked");
  return asked
    ? asked.home
    : overview.discs.reduce((best, disc) => (disc.radius > best.radius ? disc : best));
}

function chooseDisc(disc) {
  overview.chosen = disc;
  const at = onScreen(disc.x, disc.y);
  if (at.x < 20 || at.y < 60 || at.x > view.width - 20 || at.y > view.height - 20) {
    view.network.moveTo({ position: { x: disc.x, y: disc.y }, animation: animation() });
  }
  hint(discSummary(disc));
  say(`${discSummary(disc)}. Enter opens it`);
  redraw();
}

function discTitle(disc) {
  return disc.zone ? `zone ${zoneTitle(disc.zone)}` : disc.name;
}

function discSummary(disc) {
  return [
    `${discTitle(disc)}: ${serverCount(disc.servers.length)}`,
    disc.worst && `worst finding: ${disc.worst}`,
    disc.result,
  ]
    .filter(Boolean)
    .join("; ");
}

function discDetails(disc) {
  const pairs = [];
  if (disc.result) pairs.push(["Answer", disc.result]);
  if (disc.type) pairs.push(["Type", disc.type]);
  if (disc.worst) pairs.push(["Findings", `worst: ${disc.worst}`]);
  if (disc.unloaded) pairs.push(["Files", `of ${serverCount(disc.unloaded)} not loaded`]);
  pairs.push(["Inside", `${serverCount(disc.servers.length)}, ${linkCount(disc.links)}`]);
  const most = 40;
  const joined = overview.bundles.filter(({ ends }) => ends.includes(disc));
  const beside = joined.slice(0, most).map((bundle) => {
    const other = bundle.ends[0] === disc ? bundle.ends[1] : bundle.ends[0];
    const over = [
      bundle.servers.slice(0, 3).join(", ") + (bundle.servers.length > 3 ? ", …" : ""),
      bundle.links ? linkCount(bundle.links) : "",
    ];
    const button = element(
      "button",
      { type: "button", class: "server", on: { click: () => openDisc(other) } },
      other.name,
    );
    return element(
      "li",
      {},
      button,
      element("span", { class: "muted" }, ` over ${over.filter(Boolean).join(", ")}`),
    );
  });
  if (joined.length > most)
    beside.push(element("li", { class: "muted" }, `and ${joined.length - most} more`));
  const own = disc.servers
    .slice(0, most)
    .map((server) =>
      element(
        "li",
        {},
        serverButton(server.name),
        element(
          "span",
          { class: "muted" },
          ` ${server.told.note || MARK_WORDS[server.mark] || ""}`,
        ),
      ),
    );
  if (disc.servers.length > most)
    own.push(element("li", { class: "muted" }, `and ${disc.servers.length - most} more`));
  return [
    element("h2", {}, disc.zone ? `Zone ${disc.name}` : disc.name),
    definitions(pairs),
    element("h3", {}, "Joined with"),
    element("ul", { class: "links" }, ...beside),
    element("h3", {}, serverCount(disc.servers.length)),
    element("ul", { class: "links" }, ...own),
  ];
}

// A zone of the lists and of the search.
function showZone(zone) {
  if (inOverview()) openDisc(overview.discs[zone.index]);
  else showServers(zone.servers.filter((server) => !server.hidden));
}

if (overview) {
  countDiscs();
  whenSaid.push(countDiscs);
}
