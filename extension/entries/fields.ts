/*
 * Injected into a frame by an act of a person (a menu, a key, the popup), and only then. It leaves
 * one object in the extension's own world, where the background finds it and no page does.
 */
import { FieldScript } from '../fields/field-script.ts';

interface FieldWorld {
  sealwrightFields?: FieldScript;
}

const world = globalThis as FieldWorld;
// Injected again, the newest serves; windows that are open about this document keep their field.
world.sealwrightFields = new FieldScript(world.sealwrightFields?.state);
