// Texts over the picture, at the size of the page's text whatever the zoom. The most telling come first, and what would cover them stays away.

const FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";

const MANY_BLOCKS = 12;

// What a reader of a change looks for: these servers have their names before others.
const MOST_TELLING = new Set([
  "down",
  "critical",
  "cut-off",
  "loses",
  "would-lose",
  "elsewhere",
  "duplicate",
  "comes",
  "goes",
]);

const placed = [];
// The texts of the last drawing with their places, for scripts that look at the page from outside.
const texts = [];
const numbers = [];
// What was drawn last, for ``pictureGeometry``.
const drawnSigns = [],
  drawnCards = [];
const widths = new Map();

function free(box) {
  return !placed.some((other) => overlaps(box, other));
}

function inView(box) {
  return box.right > 0 && box.left < view.width && box.bottom > 0 && box.top < view.height;
}

function whole(box) {
  return box.left >= 0 && box.right <= view.width && box.top >= 0 && box.bottom <= view.height;
}

function textWidth(context, font, text) {
  const key = `${font}\n${text}`;
  if (!widths.has(key)) {
    context.font = font;
    widths.set(key, context.measureText(text).width);
  }
  return widths.get(key);
}

function boxAt(x, y, width, height) {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

// Everything that is text or sign, in pixels; called when the rest has been drawn.
function drawLabels(context) {
  const ratio = context.canvas.width / view.width;
  for (const kept of [placed, texts, numbers, drawnSigns, drawnCards]) kept.length = 0;
  context.save();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.textBaseline = "middle";
  context.textAlign = "center";
  const servers = visibleServers().filter((server) => {
    const at = onScreen(server.x, server.y);
    return at.x > -20 && at.y > -20 && at.x < view.width + 20 && at.y < view.height + 20;
  });
  const first = servers.filter((server) => labelledFirst(server) && !isEnd(server));
  const keepOff = (some) => placed.push(...some.filter((server) => !isEnd(server)).map(serverBox));
  const roomy = model.zones.length <= FEW_ZONES && servers.length < 60;
  keepOff(roomy ? servers : first);
  const signs = drawStopSigns(context);
  drawLinkSigns(context);
  const line = pathOnScreen();
  drawEnds(context, line);
  drawStepNumbers(context);
  placed.push(...line);
  if (roomy) {
    const onPath = new Set(view.paths.flatMap((path) => path.servers));
    for (const server of first) if (onPath.has(server.name)) serverLabel(context, server, true);
    drawZoneLabels(context);
    for (const server of first) if (!onPath.has(server.name)) serverLabel(context, server, true);
    drawReasons(context, signs);
  } else {
    // Zones of many are small, and their names lie over servers; a reason has to find room before them.
    drawReasons(context, signs);
    for (const server of first) serverLabel(context, server, true);
    drawZoneLabels(context);
    if (servers.length < 400) keepOff(servers);
  }
  drawBadges(context);
  keepOffAttached();
  drawLinkTexts(context);
  drawLeavingTexts(context);
  drawAttachedNames(context);
  // Names among crowded servers would only show which happened to find room.
  if (view.scale > 0.42 || servers.length < 60) {
    const rest = servers.filter((server) => !labelledFirst(server));
    const importance = (server) =>
      (server.mark ? 0 : 1) + (server.loaded ? 1 : 0) - Math.min(0.9, server.links.length / 1000);
    rest.sort((one, other) => importance(one) - importance(other) || one.index - other.index);
    for (const server of rest) serverLabel(context, server, false);
  }
  context.restore();
}

// The chosen path as a chain of small boxes: what is written keeps off it.
function pathOnScreen() {
  const boxes = [];
  const ways = model.causes.length <= MANY_BLOCKS ? [stepsToBlocks()] : [];
  for (const steps of [...shownPaths().map((path) => path.steps), ...ways]) {
    for (const step of steps) {
      if (isHidden(step.from) || isHidden(step.to)) continue;
      const curve = curveBetween(step.link, step.from, step.to);
      const pixels = Math.hypot(curve.x2 - curve.x1, curve.y2 - curve.y1) * view.scale;
      const count = Math.min(60, Math.ceil(pixels / 14));
      for (let index = 1; index < count; index += 1) {
        const { x, y } = pointOn(curve, index / count);
        const at = onScreen(x, y);
        boxes.push(boxAt(at.x, at.y, 9, 9));
      }
    }
  }
  return boxes;
}

function overlaps(one, other) {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

function isEnd(server) {
  return server.mark === "asked" || server.mark === "target";
}

// Where the question starts and ends is seen first: over everything else, each with its name on a flag that keeps off the path.
function drawEnds(context, line) {
  const font = `700 13px ${FONT}`;
  const ends = visibleServers()
    .filter(isEnd)
    .map((server) => ({ server, ...onScreen(server.x, server.y), radius: serverRadius(server) * view.scale }));
  for (const { server, x, y, radius } of ends) {
    const [wide, high] = serverSpan(server);
    placed.push(boxAt(x, y, 2 * radius * wide + 10, 2 * radius * high + 10));
  }
  for (const { server, x, y, radius } of ends) {
    if (!inView(boxAt(x, y, 2 * radius, 2 * radius))) continue;
    drawServer(context, server, x, y, radius, 1);
    const text = `${server.mark === "asked" ? "from" : "to"} ${shortened(serverTitle(server))}`;
    const width = textWidth(context, font, text) + 14,
      height = 21;
    const boxes = [];
    const [wide, high] = serverSpan(server);
    for (const gap of [9, 34]) {
      const away = radius * high + gap,
        aside = radius * wide + gap;
      boxes.push(
        boxAt(x, y + away + height / 2, width, height),
        boxAt(x, y - away - height / 2, width, height),
        boxAt(x + aside + width / 2, y, width, height),
        boxAt(x - aside - width / 2, y, width, height),
        ...[-1, 1].flatMap((side) =>
          [-1, 1].map((up) => boxAt(x + side * (width / 2 + 4), y + up * (away + height / 2), width, height)),
        ),
      );
    }
    const shown = boxes.filter((box) => whole(box) && box.top > view.above);
    const covered = (box) =>
      line.filter((part) => overlaps(box, part)).length + 5 * placed.filter((part) => overlaps(box, part)).length;
    const box = shown.reduce((best, one) => (covered(one) < covered(best) ? one : best), shown[0] || boxes[0]);
    placed.push(box);
    texts.push({ kind: "end", text, ...box });
    context.fillStyle = serverColour(server.mark);
    context.strokeStyle = colours.canvas;
    context.lineWidth = 1.5;
    context.beginPath();
    context.roundRect(box.left, box.top, width, height, 5);
    context.fill();
    context.stroke();
    context.font = font;
    context.fillStyle = colours.canvas;
    context.fillText(text, (box.left + box.right) / 2, (box.top + box.bottom) / 2 + 0.5);
  }
}

function labelledFirst(server) {
  if (server === view.selected || server === view.hovered || view.found.has(server)) return true;
  if (isEnd(server)) return true;
  if (model.about.around.includes(server.name)) return true;
  if (view.paths.some((path) => path.servers.includes(server.name))) return true;
  if (MOST_TELLING.has(server.mark) && (changes || model.about.question === "impact")) return true;
  return (
    model.causes.length <= MANY_BLOCKS &&
    model.causes.some(
      (block) =>
        block.at === server.name || block.to === server.name || block.way.some((step) => step.to === server.name),
    )
  );
}

function serverBox(server) {
  const { x, y } = onScreen(server.x, server.y);
  const size = 2 * serverRadius(server) * view.scale;
  const [wide, high] = serverSpan(server);
  return boxAt(x, y, size * wide, size * high);
}

function serverTitle(server) {
  const name = (server.looks && server.looks.label) || server.name;
  if (server.shape === "host") return name;
  if (!server.loaded) return `${name} (not loaded)`;
  return server.incomplete ? `${name} (incomplete)` : name;
}

function serverLabel(context, server, important) {
  const strong = important || server.mark === "duplicate" || server.mark === "undetermined";
  const font = `${important ? "600 13px" : "12px"} ${FONT}`;
  const found = NAME_LENGTHS.map((most) => namePlace(context, server, font, shortened(serverTitle(server), most))).find(
    ({ box }) => box,
  );
  const wanted = important && server === view.selected;
  if (!found && !wanted) return;
  const { text, box } = found || namePlace(context, server, font, shortened(serverTitle(server)), { anywhere: true });
  drawName(context, server, font, text, box, strong);
}

// Characters of a name that are drawn: as many as find room.
const NAME_LENGTHS = [44, 24, 14];

// The first place beside a server where a text lies free; ``box`` is null where there is none, unless it may lie ``anywhere``.
function namePlace(context, server, font, text, { anywhere = false } = {}) {
  const width = textWidth(context, font, text) + 6,
    height = 16;
  const { x, y } = onScreen(server.x, server.y);
  const ring = server.mark === "asked" || server.mark === "target" ? 6 : 2;
  const radius = serverRadius(server) * view.scale;
  const [wide, high] = serverSpan(server).map((part) => part * radius + ring);
  const crossed = linkSides(server);
  const places = [
    [x, y + high + height / 2, crossed.below],
    [x, y - high - height / 2, crossed.above],
    [x + wide + width / 2, y, crossed.right],
    [x - wide - width / 2, y, crossed.left],
    // A little away, where something lies right beside the server.
    [x, y + high + height / 2 + 12, crossed.below + 2],
    [x, y - high - height / 2 - 12, crossed.above + 2],
  ].sort((one, other) => one[2] - other[2]);
  const boxes = places.map(([left, top]) => boxAt(left, top, width, height));
  return { text, box: boxes.find((box) => whole(box) && free(box)) || (anywhere ? boxes[0] : null) };
}

function drawName(context, server, font, text, box, strong) {
  placed.push(box);
  texts.push({ kind: "server", text, ...box });
  context.font = font;
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = withAlpha(colours.canvas, 0.9);
  const middle = (box.left + box.right) / 2,
    level = (box.top + box.bottom) / 2;
  context.strokeText(text, middle, level);
  context.fillStyle = strong || !answered || server.mark ? colours.text : colours.muted;
  context.fillText(text, middle, level);
}

// How many links leave a server on each side: its name goes where there are fewest. Below wins where all are equal.
function linkSides(server) {
  const sides = { below: 0, above: 0, right: 0.5, left: 0.6 };
  for (const link of server.links) {
    const other = otherEnd(link, server);
    if (other.hidden) continue;
    const dx = other.x - server.x,
      dy = other.y - server.y;
    if (Math.abs(dy) > 0.6 * Math.abs(dx)) sides[dy > 0 ? "below" : "above"] += 1;
    if (Math.abs(dx) > 1.6 * Math.abs(dy)) sides[dx > 0 ? "right" : "left"] += 1;
  }
  return sides;
}

function drawStepNumbers(context) {
  const numbered = shownPaths().flatMap(({ steps }, index) =>
    steps.map((step) => ({ step, colour: pathColour(index), index })),
  );
  if (model.causes.length <= MANY_BLOCKS) {
    for (const step of stepsToBlocks())
      numbered.push({ step, colour: isUnsure(step) ? colours.doubt : colours.path, index: 0 });
  }
  const drawn = numbered.filter(
    ({ step }) => !isHidden(step.from) && !isHidden(step.to) && curveBetween(step.link, step.from, step.to),
  );
  const lines = drawn.map(({ step }) => lineOnScreen(curveBetween(step.link, step.from, step.to)));
  drawn.forEach(({ step, colour, index }, own) => {
    // A number that is nearer to another step would count that one.
    const nearest = (spot) => {
      const away = distanceToLine(spot, lines[own]);
      return lines.every((line, other) => other === own || distanceToLine(spot, line) >= away);
    };
    drawStepNumber(context, step, colour, index, nearest);
  });
}

// A curve in pixels, as a line of straight parts.
function lineOnScreen(curve) {
  const parts = curve.bent ? 16 : 1;
  return Array.from({ length: parts + 1 }, (_, at) => pointOn(curve, at / parts)).map(({ x, y }) => onScreen(x, y));
}

function distanceToLine({ x, y }, line) {
  let nearest = Infinity;
  for (let at = 1; at < line.length; at += 1)
    nearest = Math.min(nearest, distanceToSegment(x, y, line[at - 1], line[at]));
  return nearest;
}

// On a long step, beside a short one: over it there would be nothing left of it.
function drawStepNumber(context, step, colour, index, nearest) {
  const curve = curveBetween(step.link, step.from, step.to);
  const middle = pointOn(curve, 0.5);
  const at = onScreen(middle.x, middle.y);
  const pixels = Math.hypot(curve.x2 - curve.x1, curve.y2 - curve.y1) * view.scale;
  const radius = pixels < 60 ? 9 : 11;
  const side = 2 * radius + 1;
  const angle = directionOn(curve, 0.5) - Math.PI / 2;
  const turned = [
    0,
    Math.PI,
    Math.PI / 4,
    -Math.PI / 4,
    (3 * Math.PI) / 4,
    (-3 * Math.PI) / 4,
    Math.PI / 2,
    -Math.PI / 2,
  ];
  const beside = [16, 27, 38, 52].flatMap((away) =>
    turned.map((turn) => ({ x: at.x + Math.cos(angle + turn) * away, y: at.y + Math.sin(angle + turn) * away })),
  );
  const places = pixels < 46 ? beside : [at, ...beside];
  const own = places.filter(nearest);
  const place = own.find(({ x, y }) => free(boxAt(x, y, side, side))) || own[0] || places[0];
  const box = boxAt(place.x, place.y, side, side);
  if (!inView(box)) return;
  placed.push(box);
  numbers.push([place.x, place.y, String(step.number), radius, index, colour, step]);
  numberSign(context, ...numbers[numbers.length - 1]);
}

// The number of a step: in a circle, and in a square on the second of two paths.
function numberSign(context, x, y, text, radius = 11, index = 0, colour = pathColour(index)) {
  context.beginPath();
  if (index) context.roundRect(x - radius * 0.9, y - radius * 0.9, radius * 1.8, radius * 1.8, 2);
  else context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colours.canvas;
  context.fill();
  context.lineWidth = radius / 4.5;
  context.strokeStyle = colour;
  context.stroke();
  context.font = `700 ${Math.round(radius * (text.length > 2 ? 0.85 : 1.1))}px ${FONT}`;
  context.fillStyle = colour;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x, y + 0.5);
}

// What a change does to a link stands on its middle, unless a stop sign stands there.
function drawLinkSigns(context) {
  for (const link of model.links) {
    if (!LINK_SIGNS.has(link.mark) || link.mark === "refused" || link.drawnBy !== link || !linkVisible(link)) continue;
    const curve = linkCurve(link);
    const middle = pointOn(curve, 0.5);
    const at = onScreen(middle.x, middle.y);
    const box = boxAt(at.x, at.y, 20, 20);
    if (!inView(box) || Math.hypot(curve.x2 - curve.x1, curve.y2 - curve.y1) * view.scale < 34 || !free(box)) continue;
    placed.push(box);
    drawLinkSign(context, link.mark, at.x, at.y);
  }
}

// A cross through what goes or will not be, a plus for what comes, an unequal sign for what is altered, a bolt for what fails.
function drawLinkSign(context, mark, x, y, size = 9) {
  const colour = linkColour({ mark });
  const stroke = (width, style) => {
    context.strokeStyle = style;
    context.lineWidth = width;
    context.stroke();
  };
  context.lineCap = "round";
  context.beginPath();
  if (mark === "goes" || mark === "refused") {
    const arm = size * 0.75;
    context.moveTo(x - arm, y - arm);
    context.lineTo(x + arm, y + arm);
    context.moveTo(x + arm, y - arm);
    context.lineTo(x - arm, y + arm);
    stroke(7, colours.canvas);
    stroke(3.2, colour);
  } else {
    context.arc(x, y, size, 0, 2 * Math.PI);
    context.fillStyle = colours.canvas;
    context.fill();
    stroke(2, colour);
    context.beginPath();
    const arm = size * 0.5;
    if (mark === "comes") {
      context.moveTo(x - arm, y);
      context.lineTo(x + arm, y);
      context.moveTo(x, y - arm);
      context.lineTo(x, y + arm);
    } else if (mark === "down") {
      context.moveTo(x + arm * 0.3, y - arm * 1.3);
      context.lineTo(x - arm * 0.7, y + arm * 0.2);
      context.lineTo(x + arm * 0.7, y + arm * 0.2);
      context.lineTo(x - arm * 0.3, y + arm * 1.3);
    } else if (mark === "critical") {
      context.moveTo(x, y - arm * 1.1);
      context.lineTo(x, y + arm * 0.2);
      context.moveTo(x, y + arm);
      context.lineTo(x, y + arm * 1.05);
    } else {
      context.moveTo(x - arm, y - size * 0.22);
      context.lineTo(x + arm, y - size * 0.22);
      context.moveTo(x - arm, y + size * 0.22);
      context.lineTo(x + arm, y + size * 0.22);
      context.moveTo(x - arm * 0.7, y + arm * 1.1);
      context.lineTo(x + arm * 0.7, y - arm * 1.1);
    }
    stroke(2, colour);
  }
  context.lineCap = "butt";
}

// A cause and what only repeats it are one sign, with their number; so are signs that would cover each other.
function drawStopSigns(context) {
  const signs = [];
  const size = model.causes.length > MANY_BLOCKS && view.scale < 0.3 ? 9 : 12;
  for (const block of model.causes) {
    const place = blockPlace(block);
    if (!place) continue;
    const at = onScreen(place.x, place.y);
    if (!inView(boxAt(at.x, at.y, 26, 26))) continue;
    const near = signs.find((sign) => Math.abs(sign.x - at.x) < 1.7 * size && Math.abs(sign.y - at.y) < 1.7 * size);
    if (near) near.causes.push(block);
    else signs.push({ block, causes: [block], count: 1, size, ...at });
  }
  drawnSigns.push(...signs);
  for (const sign of signs) {
    sign.count = sign.causes.reduce((sum, cause) => sum + 1 + cause.repeated.length, 0);
    drawSignOf(context, sign);
    placed.push(boxAt(sign.x, sign.y, 2 * size + 2, 2 * size + 2));
  }
  return signs;
}

function drawSignOf(context, { causes, count, size, x, y }) {
  stopSign(
    context,
    x,
    y,
    size,
    causes.some((block) => block.certain),
  );
  if (count === 1) return;
  const font = `700 10px ${FONT}`;
  const text = String(count);
  const width = textWidth(context, font, text) + 7;
  context.beginPath();
  context.roundRect(x + size * 0.4, y - size * 1.25, width, 13, 6.5);
  context.fillStyle = colours.canvas;
  context.fill();
  context.strokeStyle = colours.bad;
  context.lineWidth = 1;
  context.stroke();
  context.font = font;
  context.fillStyle = colours.text;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x + size * 0.4 + width / 2, y - size * 1.25 + 7);
}

function stopSign(context, x, y, size, certain) {
  context.beginPath();
  for (let corner = 0; corner < 8; corner += 1) {
    const angle = Math.PI / 8 + (corner * Math.PI) / 4;
    context.lineTo(x + size * Math.cos(angle), y + size * Math.sin(angle));
  }
  context.closePath();
  context.fillStyle = certain ? colours.bad : colours.doubt;
  context.fill();
  context.lineWidth = 2;
  context.strokeStyle = colours.canvas;
  context.stroke();
  context.fillStyle = colours.canvas;
  if (certain) context.fillRect(x - size * 0.55, y - size * 0.18, size * 1.1, size * 0.36);
  else {
    context.font = `700 ${size * 1.3}px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText("?", x, y + 0.5);
  }
}

// The reason stands beside its sign, on a card, if need be a little away and with a line to it. Of very many signs some have a card, more
// when the reader comes closer; all reasons stand in the list.
function drawReasons(context, signs) {
  const bold = `600 12px ${FONT}`;
  const cards = signs.length > MANY_BLOCKS ? signs.slice(0, 5) : signs;
  for (const sign of cards) {
    const { block, causes, count, x, y } = sign;
    if (causes.some((other) => other.reason !== block.reason)) continue;
    const reason = reasonOf(causes, count);
    // Whole, or what decides it only in the list: a reason that is cut may be read as another one.
    const guard =
      !changes && causes.length === 1 && block.guard && !block.guard.startsWith(block.reason.slice(0, 20))
        ? block.guard
        : "";
    const room = changes ? [230] : [190, 260];
    const texts = guard ? [guard, ""] : [""];
    const forms = texts.flatMap((more) =>
      room.map((width) => ({ more, lines: reasonLines(context, reason, more, width) })),
    );
    const crossing = changes ? { crossing: true } : {};
    const found = forms.map(({ more, lines }) => ({ more, card: reasonPlace(lines, x, y) })).find(({ card }) => card);
    const card = found ? found.card : changes ? reasonPlace(forms[0].lines, x, y, crossing) : null;
    if (!card) continue;
    placed.push(card.box);
    drawnCards.push({ sign, reason, guard: found ? found.more : "", ...card });
    drawReason(context, sign, card);
  }
  // A card's line may have crossed one.
  for (const number of numbers) numberSign(context, ...number);
}

const MOST_LINES = 7;

function reasonLines(context, reason, guard, width) {
  const lines = wrapped(context, `600 12px ${FONT}`, reason, width, MOST_LINES);
  return guard ? [...lines, ...wrapped(context, `12px ${FONT}`, guard, width, MOST_LINES)] : lines;
}

// The reason on a sign, and how many blocks it stands for.
function reasonOf([block, ...others], count) {
  if (count === 1) return block.reason;
  const alike = [block, ...others].every((one) => one.repeated.every((other) => other.reason === block.reason));
  const more = count === 2 ? "1 more follows" : `${count - 1} more follow`;
  return alike ? `${count} times: ${block.reason}` : `${block.reason}; ${more} from it`;
}

function drawReason(context, sign, { box, lines }) {
  const colour = sign.block.certain ? colours.bad : colours.doubt;
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(sign.x, sign.y);
  const end = nearestIn(box, sign.x, sign.y);
  context.lineTo(end.x, end.y);
  context.stroke();
  drawSignOf(context, sign);
  context.fillStyle = colours.canvas;
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.roundRect(box.left, box.top, box.right - box.left, box.bottom - box.top, 4);
  context.fill();
  context.stroke();
  context.fillStyle = colours.text;
  context.textAlign = "center";
  context.textBaseline = "middle";
  lines.forEach((line, index) => {
    context.font = line.font;
    context.fillText(line.text, (box.left + box.right) / 2, box.top + 12 + index * 16);
  });
}

// The first place near a sign where a card lies free, and its line to the sign crosses nothing, unless ``crossing`` allows that.
function reasonPlace(lines, x, y, { crossing = false } = {}) {
  const width = Math.max(...lines.map(({ width: wide }) => wide)) + 16,
    height = lines.length * 16 + 8;
  for (const away of [20, 44, 76, 120, 170]) {
    const across = away + width / 2,
      along = away + height / 2;
    const places = [
      [x + across, y],
      [x - across, y],
      [x, y + along],
      [x, y - along],
      [x + across * 0.8, y + along],
      [x - across * 0.8, y + along],
      [x + across * 0.8, y - along],
      [x - across * 0.8, y - along],
    ];
    for (const [left, top] of places) {
      const box = boxAt(left, top, width, height);
      if (whole(box) && box.top > view.above && free(box) && (crossing || reaches(x, y, box))) return { box, lines };
    }
  }
  return null;
}

function nearestIn(box, x, y) {
  return { x: Math.max(box.left, Math.min(box.right, x)), y: Math.max(box.top, Math.min(box.bottom, y)) };
}

function reaches(x, y, box) {
  const end = nearestIn(box, x, y);
  const length = Math.hypot(end.x - x, end.y - y);
  for (let along = 18; along < length; along += 6) {
    const part = boxAt(x + ((end.x - x) * along) / length, y + ((end.y - y) * along) / length, 2, 2);
    if (!free(part)) return false;
  }
  return true;
}

function wrapped(context, font, text, widest, most) {
  context.font = font;
  const lines = [];
  let line = "";
  const keep = (one) => lines.push({ text: apartText(one), font, width: textWidth(context, font, one) });
  const cut = (one) => {
    let short = one;
    while (short.length > 1 && context.measureText(`${short}…`).width > widest) short = short.slice(0, -1);
    return short === one ? one : `${short}…`;
  };
  const words = visibleText(text).split(/\s+/).filter(Boolean);
  for (const [index, word] of words.entries()) {
    const longer = line ? `${line} ${word}` : word;
    if (context.measureText(longer).width <= widest) line = longer;
    else if (lines.length + 1 === most) {
      keep(cut(`${longer}${index < words.length - 1 ? ` ${words[index + 1]}` : ""}`));
      return lines;
    } else {
      if (line) keep(line);
      line = cut(word);
    }
  }
  if (line) keep(line);
  return lines;
}

// The zones the answer passes.
function zonesOfAnswer() {
  const links = [
    ...shownPaths().flatMap((path) => path.steps.map((step) => step.link)),
    ...model.causes.flatMap((block) => [block.link, ...block.way.map((step) => step.link)]),
  ];
  return new Set(links.filter(Boolean).map((link) => link.inZone));
}

// A zone that is small on the screen says its name only; its outline still tells the type.
function drawZoneLabels(context) {
  const told = zonesOfAnswer();
  const order = [...model.zonesBySize].sort((one, other) => Number(told.has(other)) - Number(told.has(one)));
  for (const zone of order) {
    if (!zone.shape) continue;
    const across = 2 * Math.sqrt(zone.area / Math.PI) * view.scale + 2 * PADDING * view.scale;
    const small = across < 90 && model.zones.length > FEW_ZONES;
    const quiet = small && !told.has(zone);
    const font = `700 ${small ? 11 : 12}px ${FONT}`;
    const text = shortened(small ? zone.name : zoneTitle(zone), 28);
    const width = textWidth(context, font, text) + (quiet ? 4 : 12),
      height = quiet ? 13 : 18;
    for (const place of zone.labels) {
      const at = onScreen(place.x, place.y);
      // Beside a zone a name stands outside; above and below it, on the outline.
      at.x += ((place.dx || 0) * width) / 2;
      const box = boxAt(at.x, at.y, width, height);
      if (!whole(box) || !free(box)) continue;
      placed.push(box);
      zoneLabel(context, zone, text, at, box, { font, quiet });
      break;
    }
  }
}

function zoneLabel(context, zone, text, at, box, { font, quiet }) {
  context.font = font;
  context.textAlign = "center";
  if (quiet) {
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = withAlpha(colours.canvas, 0.9);
    context.strokeText(text, at.x, at.y + 0.5);
  } else {
    context.fillStyle = withAlpha(colours.canvas, 0.92);
    context.strokeStyle = zoneColour(zone);
    context.lineWidth = 1.2;
    context.beginPath();
    context.roundRect(box.left, box.top, box.right - box.left, box.bottom - box.top, 9);
    context.fill();
    context.stroke();
  }
  context.fillStyle = zoneColour(zone);
  context.fillText(text, at.x, at.y + 0.5);
}
