import type { GetMessage } from '../../../../extension/ui/text/i18n.ts';

export interface Message {
  readonly message: string;
  readonly description?: string;
  readonly placeholders?: Readonly<Record<string, { readonly content: string }>>;
}

export type Messages = Readonly<Record<string, Message>>;

/**
 * `i18n.getMessage` over a messages.json, as the browsers document it: $NAME$ stands for the
 * content of a placeholder, and $1 … $9 in that for the substitutions.
 */
export function messageReader(messages: Messages): GetMessage {
  return (name, substitutions) => {
    const found = Object.hasOwn(messages, name) ? messages[name] : undefined;
    if (!found) return '';
    return found.message.replace(/\$(\w+)\$/g, (_, placeholder: string) => {
      const content = found.placeholders?.[placeholder.toLowerCase()]?.content ?? '';
      return content.replace(
        /\$(\d)/g,
        (__, index: string) => substitutions[Number(index) - 1] ?? '',
      );
    });
  };
}
