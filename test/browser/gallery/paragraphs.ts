/* How editors of rich text hold plain text: a paragraph for each line. */

export const paragraphsOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => `<p>${line.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`)
    .join('');

/** The text of such a document, as an application reads it that wants no more than the text. */
export function linesOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const end of body.querySelectorAll('br')) end.replaceWith('\n');
  const blocks = [...body.children];
  const lines = blocks.map(({ textContent }) => textContent.replaceAll('\u00a0', ' '));
  return blocks.length > 0 ? lines.join('\n') : body.textContent;
}
