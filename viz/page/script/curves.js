// Curves that links are drawn as, and distances between places: geometry in the picture's units.

export const SERVER_RADIUS = 13;

export const PARALLEL_GAP = 34;

// How far the control point of one of some parallel links lies beside the straight line, where no
// server is in the way.
export function apartOf(parallel, parallels) {
  return (parallel - (parallels - 1) / 2) * PARALLEL_GAP * 2;
}

// A curve whose control point lies ``aside`` of the straight line between two places.
export function curveAside(a, b, aside) {
  const curve = {
    x1: a.x,
    y1: a.y,
    x2: b.x,
    y2: b.y,
    cx: (a.x + b.x) / 2,
    cy: (a.y + b.y) / 2,
    bent: aside !== 0,
  };
  if (!aside) return curve;
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  curve.cx += (-(b.y - a.y) / length) * aside;
  curve.cy += ((b.x - a.x) / length) * aside;
  return curve;
}

// A curve as places on it that straight lines join.
export function curvePoints(curve, parts = 12) {
  const count = curve.bent || curve.loop ? parts : 1;
  return Array.from({ length: count + 1 }, (_, index) => pointOn(curve, index / count));
}

// A link of a server to itself: a loop above it, larger for each further one.
export function loopAt({ x, y }, number) {
  const radius = SERVER_RADIUS * (1.1 + 0.5 * number);
  return { x1: x, y1: y, x2: x, y2: y, cx: x, cy: y, bent: false, loop: radius };
}

export function reversed(curve) {
  return { ...curve, x1: curve.x2, y1: curve.y2, x2: curve.x1, y2: curve.y1 };
}

export function pointOn(curve, t) {
  if (curve.loop) {
    const angle = Math.PI / 2 + 2 * Math.PI * t;
    return {
      x: curve.x1 + curve.loop * Math.cos(angle),
      y: curve.y1 - curve.loop + curve.loop * Math.sin(angle),
    };
  }
  const u = 1 - t;
  return {
    x: u * u * curve.x1 + 2 * u * t * curve.cx + t * t * curve.x2,
    y: u * u * curve.y1 + 2 * u * t * curve.cy + t * t * curve.y2,
  };
}

export function directionOn(curve, t) {
  if (curve.loop) return Math.PI + 2 * Math.PI * t;
  return Math.atan2(
    (1 - t) * (curve.cy - curve.y1) + t * (curve.y2 - curve.cy),
    (1 - t) * (curve.cx - curve.x1) + t * (curve.x2 - curve.cx),
  );
}

export function trace(path, curve) {
  if (curve.loop) {
    const first = pointOn(curve, 0);
    path.moveTo(first.x, first.y);
    path.arc(curve.x1, curve.y1 - curve.loop, curve.loop, Math.PI / 2, Math.PI / 2 + 2 * Math.PI);
    return;
  }
  path.moveTo(curve.x1, curve.y1);
  if (curve.bent) path.quadraticCurveTo(curve.cx, curve.cy, curve.x2, curve.y2);
  else path.lineTo(curve.x2, curve.y2);
}

// The part of a curve from its start to t.
export function upTo(curve, t) {
  const end = pointOn(curve, t);
  return {
    ...curve,
    x2: end.x,
    y2: end.y,
    cx: curve.x1 + (curve.cx - curve.x1) * t,
    cy: curve.y1 + (curve.cy - curve.y1) * t,
  };
}

// A link that is not resolved: a gap in its middle, between two strokes across.
export function traceBroken(path, curve, thin) {
  const length = Math.hypot(curve.x2 - curve.x1, curve.y2 - curve.y1) || 1;
  const half = Math.min(0.2, (5 * thin) / length);
  trace(path, upTo(curve, 0.5 - half));
  trace(path, upTo(reversed(curve), 0.5 - half));
  for (const t of [0.5 - half, 0.5 + half]) {
    const { x, y } = pointOn(curve, t),
      angle = directionOn(curve, t) + Math.PI / 3;
    const across = 6 * thin * Math.cos(angle),
      down = 6 * thin * Math.sin(angle);
    path.moveTo(x - across, y - down);
    path.lineTo(x + across, y + down);
  }
}

export function boxAround(points, margin) {
  let left = Infinity,
    right = -Infinity,
    top = Infinity,
    bottom = -Infinity;
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { left: left - margin, right: right + margin, top: top - margin, bottom: bottom + margin };
}

// With Math.sqrt: Math.hypot takes several times as long, and this is asked some hundred thousand
// times.
export function distanceToSegment(x, y, p, q) {
  const dx = q.x - p.x,
    dy = q.y - p.y;
  const length = dx * dx + dy * dy;
  const t = length ? Math.max(0, Math.min(1, ((x - p.x) * dx + (y - p.y) * dy) / length)) : 0;
  const aside = x - p.x - t * dx,
    off = y - p.y - t * dy;
  return Math.sqrt(aside * aside + off * off);
}
