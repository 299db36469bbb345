import type { Messages } from '../../platform/windows/chosen-words.ts';
import type { GetMessage } from './i18n.ts';

/**
 * `i18n.getMessage` for a messages.json, as browsers document it: $NAME$ is replaced by the content
 * of a placeholder, in which $1 … $9 are replaced by the substitutions.
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
