// The token of the address moves to this tab's own memory, and the address forgets it.
const asked = new URLSearchParams(location.hash.slice(1));
if (asked.get("t")) {
  sessionStorage.setItem("token", asked.get("t"));
  history.replaceState(null, "", "/app");
}
const element = (name, ...children) => {
  const made = document.createElement(name);
  made.append(...children);
  return made;
};
const answer = await fetch("/api/v1/overview", { headers: { Authorization: `Bearer ${sessionStorage.getItem("token")}` } });
const data = await answer.json();
const main = document.getElementById("main");
if (data.error) {
  main.append(element("p", data.error.message));
} else {
  const rows = data.types.map((type) => element("tr", element("th", type.name), element("td", `${type.count}`)));
  main.append(element("h1", data.project.doc.title), element("table", ...rows));
}
