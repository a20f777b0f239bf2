// The entry of the scripts of a picture: the picture, and the form that questions are asked in,
// where the page has one.

import "../script/main.js";
import "./ask.js";
