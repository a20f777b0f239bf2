// The legend names what is in the picture and nothing else, drawn by the same code as the picture.

function sample(draw) {
  const width = 44,
    height = 22,
    ratio = Math.max(1, window.devicePixelRatio);
  const canvas = element("canvas", {
    width: width * ratio,
    height: height * ratio,
    "aria-hidden": "true",
  });
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  draw(context, width / 2, height / 2);
  return canvas;
}

function sampleLink(style, colour, width = 1.4, line = "solid") {
  return (context, x, y) => {
    const shape = new Path2D();
    const curve = { x1: 3, y1: y, x2: 41, y2: y, cx: x, cy: y, bent: false };
    const link = { style, line, mark: "", looks: null, configuredBy: "a", a: { name: "a" } };
    if (style === "unresolved") traceBroken(shape, curve, 1);
    else trace(shape, curve);
    drawLinkGroup(context, { link, width, colour, shape, arrows: [] }, 1, true);
    if (style === "one-way") arrowHead(context, { x: 35, y }, 0, 6, colour);
    else if (["active-passive", "uplink"].includes(style))
      configuredHere(context, { x: 9, y }, 3.5, colour);
  };
}

// A text as it stands in the picture.
function sampleText(text) {
  return sample((context, x, y) =>
    textOnGround(context, text, boxAt(x, y, 44, 14), `600 11px ${FONT}`, colours.text),
  );
}

function sampleMarkedLink(mark) {
  return (context, x, y) => {
    const shape = new Path2D();
    trace(shape, { x1: 3, y1: y, x2: 41, y2: y, cx: x, cy: y, bent: false });
    const link = {
      style: "plain",
      line: "solid",
      mark,
      looks: null,
      configuredBy: "",
      a: { name: "a" },
    };
    drawLinkGroup(
      context,
      { link, width: 2.2, colour: linkColour(link), shape, arrows: [] },
      1,
      true,
    );
    if (mark === "refused") stopSign(context, x, y, 9, true);
    else drawLinkSign(context, mark, x, y);
  };
}

function sampleWay(unsure) {
  return (context, x, y) => {
    const colour = unsure ? colours.doubt : colours.path;
    sampleLink("plain", colour, 3.5, unsure ? "dashes" : "solid")(context, x, y);
    numberSign(context, x, y, "1", 9, 0, colour);
  };
}

function drawZoneSample(context, zone, x, y) {
  context.beginPath();
  context.roundRect(x - 19, y - 8, 38, 16, 8);
  context.fillStyle = zonePattern(context, zone);
  context.fill();
  context.strokeStyle = zoneColour(zone);
  context.lineWidth = 1.6;
  context.setLineDash({ "1hop": [5, 3], mhop: [] }[zone.type] || [1.5, 4]);
  context.stroke();
}

const ZONE_WORDS = {
  "1hop": "zone, 1hop: messages cross one of its links",
  mhop: "zone, mhop: messages go on from link to link",
  "": "zone whose type is not known",
};

function legendEntries() {
  const entries = inOverview() ? overviewLegend() : [];
  if (inOverview() && !overview.open) return entries;
  // The shape that marks are shown in: that of all servers, or a circle where there are several.
  const shapes = [...new Set(model.servers.map((server) => server.shape))].filter(
    (one) => one !== "host",
  );
  const shape = shapes.length === 1 ? shapes[0] : "circle";
  if (!answered || shapes.length > 1) {
    const kinds = new Map(
      model.servers.filter((server) => server.loaded).map((server) => [server.kind, server.shape]),
    );
    for (const [kind, own] of [...kinds].sort()) {
      entries.push([
        sample((context, x, y) =>
          drawServer(context, { mark: "", shape: own, loaded: true, incomplete: "" }, x, y, 6, 1),
        ),
        kind,
      ]);
    }
  }
  const marks = new Set(
    model.servers.filter((server) => server.loaded).map((server) => server.mark),
  );
  const order = [
    "asked",
    "target",
    "reached",
    "delivered",
    "stored",
    "would-deliver",
    "transit",
    "held",
    "aside",
    "rejected",
    "unreachable",
    "down",
    "critical",
    "cut-off",
    "loses",
    "would-lose",
    "elsewhere",
    "apart",
    "goes",
    "undetermined",
    "duplicate",
    "gains",
    "would-gain",
    "comes",
    "redundant",
    "",
  ];
  for (const mark of order) {
    if (!marks.has(mark)) continue;
    const words = { ...MARK_WORDS, "": "not part of the answer" }[mark];
    if (mark === "" && (!answered || shapes.length > 1)) continue;
    entries.push([
      sample((context, x, y) =>
        drawServer(
          context,
          { mark, shape, loaded: true, incomplete: "" },
          x,
          y,
          mark === "" ? 6 : 7,
          1,
        ),
      ),
      words,
    ]);
  }
  const host = model.servers.find((server) => server.shape === "host");
  if (host)
    entries.push([
      sample((context, x, y) =>
        drawServer(context, { mark: "", shape: "host", loaded: false, incomplete: "" }, x, y, 7, 1),
      ),
      host.kind,
    ]);
  if (model.servers.some((server) => !server.loaded && server.shape !== "host")) {
    const { mark, shape: own } = model.servers.find(
      (server) => !server.loaded && server.shape !== "host",
    );
    entries.push([
      sample((context, x, y) =>
        drawServer(context, { mark, shape: own, loaded: false, incomplete: "" }, x, y, 7, 1),
      ),
      "files not loaded",
    ]);
  }
  if (model.servers.some((server) => server.loaded && server.incomplete)) {
    entries.push([
      sample((context, x, y) =>
        drawServer(context, { mark: "", shape, loaded: true, incomplete: "x" }, x, y, 7, 1),
      ),
      "files incomplete",
    ]);
  }
  const roles = new Map(model.links.filter((link) => link.role).map((link) => [link.role, link]));
  for (const [role, { line, style }] of [...roles].sort(([one], [other]) =>
    one < other ? -1 : 1,
  )) {
    entries.push([sample(sampleLink(style, colours.line, 1.4, line)), role]);
  }
  if (
    model.links.some((link) => link.drawnBy === link && link.style === "one-way" && bothWays(link))
  ) {
    const draw = (context, x, y) => {
      sampleLink("one-way", colours.line)(context, x, y);
      arrowHead(context, { x: 9, y }, Math.PI, 6, colours.line);
    };
    entries.push([sample(draw), "both ways: at least one link each way"]);
  }
  for (const style of [
    "active-active",
    "active-passive",
    "plain",
    "uplink",
    "standby",
    "unresolved",
    "one-way",
  ]) {
    if (!model.links.some((link) => link.style === style && !link.role)) continue;
    const words = ["plain", "uplink", "standby", "unresolved"].includes(style)
      ? LINK_WORDS[style]
      : `${style}: ${LINK_WORDS[style]}`;
    const colour = style === "unresolved" ? colours.doubt : colours.line;
    entries.push([sample(sampleLink(style, colour)), words]);
  }
  entries.push(...attachedEntries());
  entries.push(...findingEntries());
  if (model.links.some((link) => link.crowd))
    entries.push([sampleText("×50"), "so many parallel links, drawn as one"]);
  if (costsShown) entries.push([sampleText("cost 10"), "cost of the link"]);
  if (model.servers.some((server) => server.leaving)) {
    entries.push([
      sampleText("+3 → 17"),
      "links to 3 servers that are not in this picture, 17 with all behind them",
    ]);
  }
  if (model.paths.length) {
    const draw = (context, x, y) => {
      sampleLink("plain", colours.path, 5)(context, x, y);
      numberSign(context, x, y, "1");
    };
    entries.push([
      sample(draw),
      model.paths.some((path) => path.together) ? "first path and its steps" : "path and its steps",
    ]);
  }
  if (model.paths.some((path) => path.together)) {
    const draw = (context, x, y) => {
      const shape = new Path2D();
      trace(shape, { x1: 3, y1: y, x2: 41, y2: y, cx: x, cy: y, bent: false });
      context.strokeStyle = pathColour(1);
      context.lineWidth = 3.5;
      context.setLineDash([8, 5]);
      context.stroke(shape);
      context.setLineDash([]);
      numberSign(context, x, y, "1", 11, 1);
    };
    entries.push([sample(draw), "second path and its steps"]);
  }
  for (const mark of LINK_SIGNS) {
    if (model.links.some((link) => link.mark === mark))
      entries.push([sample(sampleMarkedLink(mark)), `link: ${MARK_WORDS[mark]}`]);
  }
  const toBlocks = stepsToBlocks();
  for (const unsure of [false, true]) {
    if (!toBlocks.some((step) => isUnsure(step) === unsure)) continue;
    entries.push([
      sample(sampleWay(unsure)),
      unsure ? "steps that are not certain" : "way to a block and its steps",
    ]);
  }
  const covered = new Set(toBlocks.map((step) => step.link));
  for (const mark of [
    "duplicate",
    "redundant",
    "undetermined",
    "reached",
    "delivered",
    "transit",
  ]) {
    if (!model.links.some((link) => link.mark === mark && !covered.has(link))) continue;
    entries.push([
      sample(sampleLink("plain", linkColour({ mark }), 2.6)),
      `link: ${MARK_WORDS[mark]}`,
    ]);
  }
  for (const certain of [true, false]) {
    // The sign on a link that will not be has its entry already.
    const own = model.blocks.filter(
      (block) => block.certain === certain && !(block.link && block.link.mark === "refused"),
    );
    if (!own.length) continue;
    const draw = (context, x, y) => {
      if (!changes) sampleLink("plain", certain ? colours.bad : colours.doubt, 4)(context, x, y);
      stopSign(context, changes ? x : x + 6, y, 9, certain);
    };
    entries.push([sample(draw), blockWords(certain)]);
  }
  if (inOverview()) return entries;
  for (const [type, words] of Object.entries(ZONE_WORDS)) {
    const zone = model.zones.find((one) => one.type === type);
    if (zone) entries.push([sample((context, x, y) => drawZoneSample(context, zone, x, y)), words]);
  }
  return entries;
}

function blockWords(certain) {
  if (changes) return certain ? "refused, and why" : "nobody can say whether it is refused";
  return certain ? "goes no further, and why" : "not known whether it goes on";
}

// Whether the legend is of an answer, or of a picture, before this one.
const legend = { due: false };

// A folded legend takes no room: it is filled when nothing else is to be done, or when it is opened.
function refillLegend() {
  if (byId("legend").open) {
    fillLegend();
    return;
  }
  if (!legend.due) whenIdle(fillDueLegend);
  legend.due = true;
  fillZones();
  fillGroupSigns();
}

function fillDueLegend() {
  if (legend.due) fillLegend();
}

function fillLegend() {
  legend.due = false;
  byId("legend-entries").replaceChildren(
    ...legendEntries().map(([drawn, words]) =>
      element("div", { class: "entry" }, drawn, element("span", {}, words)),
    ),
  );
  fillZones();
  fillGroupSigns();
}
