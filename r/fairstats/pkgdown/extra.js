// "On this page": the second-level headings, as links. Nothing is fetched from elsewhere.
const box = document.querySelector("#toc");
const headings = box ? [...document.querySelectorAll("main h2")] : [];
if (headings.length > 1) {
  const list = document.createElement("ul");
  for (const heading of headings) {
    const target = heading.id ? heading : heading.closest("[id]");
    if (!target) continue;
    const link = document.createElement("a");
    link.href = "#" + target.id;
    link.textContent = heading.textContent.replace("#", "").trim();
    list.appendChild(document.createElement("li")).appendChild(link);
  }
  box.appendChild(list);
} else if (box) {
  box.remove();
}
