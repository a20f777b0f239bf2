// Buttons outside of the picture: show servers in it, and copy what stands beside.

document.addEventListener("click", async ({ target }) => {
  const button = target instanceof Element ? target.closest("button[data-show], button[data-copy]") : null;
  if (!(button instanceof HTMLElement)) return;
  if (button.dataset.copy) {
    await copyText(byId(button.dataset.copy).textContent);
    return;
  }
  const servers = JSON.parse(button.dataset.show)
    .map((name) => model.byName.get(name))
    .filter(Boolean);
  if (!servers.length) {
    say("Not in this picture");
    return;
  }
  byId("picture").scrollIntoView();
  showServers(servers, { closest: 1.4 });
  if (servers.length === 1) select(servers[0]);
  else hint(servers.map((server) => server.name).join(", "));
  byId("canvas").focus({ preventScroll: true });
});

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    say("Copied");
  } catch {
    say("The browser does not allow copying here");
  }
}
