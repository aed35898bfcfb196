// The search box and the language switch. Everything else on these pages works without scripts.
interface Found {
  id: string;
  title: string;
  page: string;
}

const box = document.querySelector<HTMLInputElement>('#search')!;
const list = document.querySelector<HTMLUListElement>('#found')!;

async function openIndex() {
  const [{ default: MiniSearch }, entries] = await Promise.all([
    import(new URL('minisearch.js', import.meta.url).href),
    fetch('/docs/search.json').then((response) => response.json()),
  ]);
  const index = new MiniSearch({
    fields: ['title', 'text'],
    storeFields: ['title', 'page'],
    searchOptions: { boost: { title: 3 }, prefix: true, fuzzy: 0.2 },
  });
  index.addAll(entries);
  return index;
}

let index: ReturnType<typeof openIndex> | undefined;

async function search() {
  index ??= openIndex();
  const words = box.value.trim();
  const found: Found[] = words === '' ? [] : (await index).search(words).slice(0, 8);
  if (words !== box.value.trim()) return;
  list.replaceChildren(
    ...found.map(({ id, title, page }) => {
      const link = document.createElement('a');
      link.href = id;
      link.textContent = title;
      const from = document.createElement('small');
      from.textContent = page;
      link.append(from);
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
  list.hidden = found.length === 0;
}

box.addEventListener('input', search);
box.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') list.querySelector('a')?.focus();
  if (event.key === 'Escape') list.hidden = true;
});
document.addEventListener('keydown', (event) => {
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key === '/' && !typing) {
    event.preventDefault();
    box.focus();
  }
});

const language = document.querySelector<HTMLSelectElement>('#language');
if (language) {
  const show = (name: string) => {
    document.documentElement.dataset['language'] = name;
    language.value = name;
  };
  show(localStorage.getItem('docs-language') ?? 'curl');
  language.addEventListener('change', () => {
    localStorage.setItem('docs-language', language.value);
    show(language.value);
  });
}
