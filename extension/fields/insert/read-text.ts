/** What a person reads in a field, as the page would submit it. */
export function readText(target: Element): string {
  if (target.localName === 'input' || target.localName === 'textarea') {
    return (target as HTMLInputElement | HTMLTextAreaElement).value;
  }
  return 'innerText' in target ? (target as HTMLElement).innerText : target.textContent;
}

/** UTF-16 code units that the field takes; null where it names no bound. */
export function limitOf(target: Element): number | null {
  const { maxLength = -1 } = target as Partial<HTMLInputElement>;
  return maxLength >= 0 ? maxLength : null;
}
