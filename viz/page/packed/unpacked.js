// Data that the picture does without: most of it is for questions. It is unpacked when the picture
// is drawn, and what waits for it is done then.

import { whenIdle } from "../script/idle.js";
import { unpackData } from "./inflate.js";

const packedData = () => [...document.querySelectorAll("script[type='application/zlib']")];

export const laterData = { whole: !packedData().length, when: null };
laterData.when = laterData.whole
  ? Promise.resolve()
  : new Promise((done) => {
      whenIdle(async () => {
        for (const holder of packedData()) await unpackData(holder);
        laterData.whole = true;
        done();
      });
    });
