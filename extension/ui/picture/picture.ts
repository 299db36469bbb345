import type { MessageKey } from '../text/i18n.ts';
import { isTone, TONE_NAMES, type Tone } from './tones.tsx';

/*
 * Every installation has its own picture, so that users recognise windows of other pages that
 * imitate ours (docs/threats.md): three symbols out of 32, on a seal of one of eight colours and
 * four outlines. There are about a million pictures (30 · 31 · 32 · 8 · 4), which a page can only
 * guess. They differ in their symbols and not by colour alone. The picture protects no key.
 */

/** The picture of an installation, as it is stored. */
export interface Picture {
  readonly symbols: readonly PictureSymbol[];
  readonly tone: Tone;
  readonly outline: PictureOutline;
}

/** The symbols and their names. Only add to it: stored pictures name their symbols. */
export const SYMBOLS = {
  anchor: 'pictureAnchor',
  apple: 'pictureApple',
  bell: 'pictureBell',
  bike: 'pictureBike',
  bird: 'pictureBird',
  book: 'pictureBook',
  cake: 'pictureCake',
  camera: 'pictureCamera',
  car: 'pictureCar',
  cat: 'pictureCat',
  cherry: 'pictureCherry',
  crown: 'pictureCrown',
  dog: 'pictureDog',
  egg: 'pictureEgg',
  feather: 'pictureFeather',
  fish: 'pictureFish',
  flower: 'pictureFlower',
  guitar: 'pictureGuitar',
  hammer: 'pictureHammer',
  lamp: 'pictureLamp',
  leaf: 'pictureLeaf',
  moon: 'pictureMoon',
  mountain: 'pictureMountain',
  plane: 'picturePlane',
  rabbit: 'pictureRabbit',
  rocket: 'pictureRocket',
  sailboat: 'pictureSailboat',
  snail: 'pictureSnail',
  sun: 'pictureSun',
  tent: 'pictureTent',
  turtle: 'pictureTurtle',
  umbrella: 'pictureUmbrella',
} as const satisfies Record<string, MessageKey>;

/** The name of a symbol. */
export type PictureSymbol = keyof typeof SYMBOLS;

/** The shapes of the seal. Only add to it: stored pictures name theirs. */
export const OUTLINES = ['circle', 'square', 'hexagon', 'scallop'] as const;

/** The shape of the seal. */
export type PictureOutline = (typeof OUTLINES)[number];

const SYMBOL_COUNT = 3;

/**
 * A random picture.
 *
 * @param random fills its argument with random bits, as `crypto.getRandomValues` does
 */
export function newPicture(random: (target: Uint32Array<ArrayBuffer>) => void): Picture {
  const draws = new Uint32Array(SYMBOL_COUNT + 2);
  random(draws);
  const [outline, tone, ...symbols] = draws;
  const left = Object.keys(SYMBOLS) as PictureSymbol[];
  return {
    symbols: symbols.map((draw) => left.splice(draw % left.length, 1)[0]!),
    tone: TONE_NAMES[tone! % TONE_NAMES.length]!,
    outline: OUTLINES[outline! % OUTLINES.length]!,
  };
}

/** Whether a stored value is a picture that this version can draw. */
export function isPicture(value: unknown): value is Picture {
  if (typeof value !== 'object' || value === null) return false;
  const { symbols, tone, outline } = value as Partial<Record<keyof Picture, unknown>>;
  const areKnown = (names: readonly unknown[]) =>
    names.every((name) => typeof name === 'string' && Object.hasOwn(SYMBOLS, name));
  return (
    Array.isArray(symbols) &&
    symbols.length === SYMBOL_COUNT &&
    areKnown(symbols) &&
    isTone(tone) &&
    OUTLINES.some((known) => known === outline)
  );
}
