/** Code as HTML, highlighted if the language is known. */
export type Highlight = (code: string, language: string) => string;

const languages = ['sh', 'js', 'ts', 'json', 'python', 'graphql', 'sql', 'http', 'ini', 'yaml', 'nginx'];
const aliases: Record<string, string> = {
  bash: 'sh',
  shell: 'sh',
  javascript: 'js',
  typescript: 'ts',
  py: 'python',
};

let loaded: Promise<Highlight> | undefined;

/** Loaded once, on first use: the grammars are large. */
export function highlighter(): Promise<Highlight> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Highlight> {
  const { createHighlighter } = await import('shiki');
  const shiki = await createHighlighter({
    themes: ['github-light-high-contrast', 'github-dark-high-contrast'],
    langs: languages,
  });
  return (code, language) => {
    const lang = aliases[language] ?? language;
    return shiki.codeToHtml(code, {
      lang: languages.includes(lang) ? lang : 'text',
      themes: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
      defaultColor: false,
      transformers: [
        {
          // A scrollable block must be reachable by keyboard and have a name.
          pre: (node) => {
            node.properties['tabindex'] = '0';
            node.properties['role'] = 'group';
            node.properties['aria-label'] = lang === 'text' ? 'Example' : `Example in ${lang}`;
          },
        },
      ],
    });
  };
}
