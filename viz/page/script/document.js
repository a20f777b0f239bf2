// The page beside the picture. Text goes into it as text nodes only.

/** @type {(id: string) => any} */
const byId = (id) => document.getElementById(id);

// An element with attributes, listeners (``on``) and children; a child is an element or text.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on")
      for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    else if (value !== null && value !== false)
      made.setAttribute(name, value === true ? "" : value);
  }
  made.append(
    ...children
      .filter((child) => child !== null && child !== "")
      .map((child) => (child instanceof Node ? child : readableText(child))),
  );
  return made;
}

function say(text) {
  byId("said").textContent = readableText(text);
}

function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

// So many servers or links, as they are called in this network.
function serverCount(count) {
  return plural(count, model.about.nouns[0], model.about.nouns[1]);
}

function linkCount(count) {
  return plural(count, model.about.nouns[2], model.about.nouns[3]);
}

function serverButton(name, text = name) {
  const server = model.byName.get(name);
  if (!server) return element("span", {}, text);
  return element(
    "button",
    {
      type: "button",
      class: "server",
      "data-server": name,
      on: { click: () => select(server, { jump: true }) },
    },
    text,
  );
}
