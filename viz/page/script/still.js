// What stays as it is from answer to answer: drawn once for a position of the camera, then copied.

/**
 * By name: how what was drawn last looked, and the copy with its look.
 * @type {Map<string, {last: string, look: string, copy: HTMLCanvasElement | null}>}
 */
const stills = new Map();

/**
 * Draws something, or copies it where it was drawn before with the same look in the same place. A
 * look is kept when it comes a second time: none is while the camera moves.
 * @param {CanvasRenderingContext2D} context
 * @param {string} name
 * @param {string} look - all that the drawing depends on, but for camera and size
 * @param {(context: CanvasRenderingContext2D) => void} draw
 */
export function drawStill(context, name, look, draw) {
  const { width, height } = context.canvas;
  const camera = context.getTransform();
  const wanted = `${width} ${height} ${camera} ${look}`;
  if (!stills.has(name)) stills.set(name, { last: "", look: "", copy: null });
  const still = stills.get(name);
  if (still.look !== wanted) {
    const again = still.last === wanted;
    still.last = wanted;
    if (!again) {
      draw(context);
      return;
    }
    still.copy ??= document.createElement("canvas");
    // Clears it, too.
    Object.assign(still.copy, { width, height });
    const own = still.copy.getContext("2d");
    own.setTransform(camera);
    draw(own);
    still.look = wanted;
  }
  context.save();
  context.resetTransform();
  context.drawImage(still.copy, 0, 0);
  context.restore();
}
