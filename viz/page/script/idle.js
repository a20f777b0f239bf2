// Work that can wait until the browser has nothing else to do: what nobody sees yet, and what the
// next question needs.

/** @type {{asked: boolean, work: (() => void)[]}} */
const idle = { asked: false, work: [] };

// Milliseconds of a turn where the browser does not say how long it is idle, and those after which
// work is done in any case.
const TURN = 8;
const LATEST = 1000;

/** Does something soon, in the order of the calls; each piece should take few milliseconds. */
export function whenIdle(work) {
  idle.work.push(work);
  waitForIdle();
}

// Nothing of it before the first drawing, which a reader waits for.
export function waitForIdle() {
  if (idle.asked || !idle.work.length || window.topographDrawn === undefined) return;
  idle.asked = true;
  // Not every browser says when it is idle.
  if ("requestIdleCallback" in window)
    window.requestIdleCallback(workWhileIdle, { timeout: LATEST });
  else setTimeout(workWhileIdle, TURN);
}

/** @param {IdleDeadline} [deadline] */
function workWhileIdle(deadline) {
  idle.asked = false;
  const end =
    performance.now() + (deadline && !deadline.didTimeout ? deadline.timeRemaining() : TURN);
  try {
    while (idle.work.length && performance.now() < end) idle.work.shift()();
  } finally {
    // A piece that fails does not stop those behind it.
    waitForIdle();
  }
}

// All of it at once: what is printed is whole.
export function finishWork() {
  while (idle.work.length) idle.work.shift()();
}
