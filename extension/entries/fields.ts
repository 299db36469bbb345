/*
 * Injected into a frame by a user action (a menu, a key, the popup), and only then. It leaves one
 * object in the extension's isolated world, where the background finds it and the page does not.
 */
import { FieldScript, type FieldAccess } from '../fields/field-script.ts';
import { fieldAt, isPlain, limitOf, readText } from '../fields/insert/field-of.ts';
import { insertText } from '../fields/insert/insert-text.ts';
import { isEditorFrame } from '../platform/fields/shadow-root.ts';

interface FieldWorld {
  sealwrightFields?: FieldScript;
}

const ACCESS: FieldAccess = { fieldAt, isPlain, limitOf, readText, insertText };

const world = globalThis as FieldWorld;
// The newest injection serves. Open windows about this document keep their field.
if (!isEditorFrame(window)) {
  world.sealwrightFields = new FieldScript(world.sealwrightFields, ACCESS);
}
