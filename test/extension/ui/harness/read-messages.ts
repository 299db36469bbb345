/* The reader that the extension has for a language of its own, by the name that tests know it by. */
export type { Message, Messages } from '../../../../extension/platform/windows/chosen-words.ts';
export { messageReader } from '../../../../extension/ui/text/message-reader.ts';
