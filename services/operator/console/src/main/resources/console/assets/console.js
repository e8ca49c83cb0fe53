// What htmx does not do: the session's token, announcements, and entries that outlive a login.
(() => {
  "use strict";
  const PREFIX = "solidus-console:";
  const person = document.body.dataset.person;

  // htmx's requests carry the session's token, as forms do
  document.body.addEventListener("htmx:configRequest", (event) => {
    const csrf = document.querySelector("meta[name=csrf]");
    if (csrf) event.detail.headers[csrf.dataset.header] = csrf.content;
  });

  // what changed is said once, and only when it changed
  let said = "";
  document.body.addEventListener("htmx:afterSettle", (event) => {
    const changed = event.detail.elt;
    // what a person asked for is where she goes on; a part that renews itself leaves her where she is
    const asked = event.detail.requestConfig?.triggeringEvent;
    if (asked && ["click", "submit"].includes(asked.type)) {
      const answer = changed.matches("[data-focus]") ? changed : changed.querySelector("[data-focus]");
      if (answer) answer.focus();
    }
    const speaker = changed.matches("[data-announce]") ? changed : changed.querySelector("[data-announce]");
    const what = speaker ? speaker.dataset.announce : "";
    if (what && what !== said) document.getElementById("announce").textContent = said = what;
  });

  // wide tables scroll with the arrow keys too
  const reachable = () => {
    for (const wide of document.querySelectorAll(".scroll:not([tabindex])")) {
      const caption = wide.querySelector("caption");
      wide.tabIndex = 0;
      wide.setAttribute("role", "group");
      wide.setAttribute("aria-label", caption ? caption.textContent : "Table");
    }
  };
  reachable();
  document.body.addEventListener("htmx:afterSettle", reachable);

  // Entries of forms with data-keep stay in this tab until they were sent.
  // Files and secrets are never kept. Another person's entries, and those of who logged out, go.
  const own = `${PREFIX}${person}:`;
  const keys = () => Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
  const keyOf = (form) => `${own}${location.pathname}#${form.dataset.keep}`;
  const kept = (field) =>
    field.name && field.name !== "_csrf" && !["file", "password", "submit", "button"].includes(field.type) &&
    (field.type !== "hidden" || field.hasAttribute("data-keep"));

  const loggedOut = location.pathname === "/logged-out";
  for (const key of keys()) {
    if (loggedOut || (person && !key.startsWith(own))) sessionStorage.removeItem(key);
  }
  if (!person) return;
  const done = document.body.dataset.done;
  if (done) for (const key of keys()) if (key.endsWith(`#${done}`)) sessionStorage.removeItem(key);

  const store = (form) => {
    const entries = [...form.elements].filter(kept).map((field) => [
      field.name,
      field.type === "radio" || field.type === "checkbox" ? [field.value, field.checked] : [field.value],
    ]);
    sessionStorage.setItem(keyOf(form), JSON.stringify(entries));
  };
  const restore = (form) => {
    const entries = JSON.parse(sessionStorage.getItem(keyOf(form)) || "null");
    if (!entries) return;
    const fields = [...form.elements].filter(kept);
    for (const [name, [value, checked]] of entries) {
      const field = fields.find((each) => each.name === name && (checked === undefined || each.value === value));
      if (!field) continue;
      if (checked === undefined) field.value = value;
      else field.checked = checked;
    }
  };
  for (const form of document.querySelectorAll("form[data-keep]")) {
    restore(form);
    for (const type of ["input", "change", "submit"]) form.addEventListener(type, () => store(form));
  }

  // logout forgets at once, also when the provider's page comes between
  const logout = document.querySelector("form[action='/logout']");
  if (logout) logout.addEventListener("submit", () => keys().forEach((key) => sessionStorage.removeItem(key)));

  // the outcome of a form is what a screen reader reads first
  const outcome = document.querySelector("[data-focus]");
  if (outcome) outcome.focus();

  // a page from the browser's memory may be of an ended session
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
})();
