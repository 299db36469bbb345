/* Runs in the page's world on sites whose forms are guarded, before any script of the page. */
import { announceSubmitCalls } from '../fields/auto-seal/submit-call.ts';

announceSubmitCalls(HTMLFormElement.prototype);
