// What the scripts of a page find there: the vendored vis-network, and what tests ask the page.

declare const vis: any;

interface Window {
  topograph: any;
  topographDrawn: any;
}
