// A box above each table of class "names" that shows only the rows with all of the words in it.
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("div.names").forEach((part) => {
    const rows = [...part.querySelectorAll("tbody tr")].map((row) => [row, row.textContent.toLowerCase()]);
    const box = document.createElement("input");
    const count = document.createElement("span");
    box.type = "search";
    box.placeholder = "Filter: a Python, C, C++, Rust, Go, C# or Julia name";
    box.setAttribute("aria-label", box.placeholder);
    const show = () => {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const [row, text] of rows) {
        const fits = words.every((word) => text.includes(word));
        row.style.display = fits ? "" : "none";
        shown += fits;
      }
      count.textContent = ` ${shown} of ${rows.length}`;
    };
    box.addEventListener("input", show);
    part.prepend(box, count);
    const wanted = new URLSearchParams(location.search).get("name");
    if (wanted) box.value = wanted;
    show();
  });
});
