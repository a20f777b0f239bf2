// What the scripts of a page find there: the vendored vis-network, what tests ask the page, and elements of a markup that is ours.

declare const vis: any;

interface Window {
  topograph: any;
  topographDrawn: any;
}

interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
