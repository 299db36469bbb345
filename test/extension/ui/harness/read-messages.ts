/* The reader that the extension has for a language of its own, by the name that tests know it by. */
export {
  messageReader,
  type Message,
  type Messages,
} from '../../../../extension/ui/text/message-reader.ts';
