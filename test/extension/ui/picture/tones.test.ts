import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { TONE_NAMES } from '../../../../extension/ui/picture/tones.tsx';

const css = readFileSync('extension/ui/ui.css', 'utf8');
const SCHEMES = ['light', 'dark'] as const;

/** "--page: light-dark(#ffffff, #11181d);" */
const colour = (scheme: (typeof SCHEMES)[number], name: string): string =>
  new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(css)![
    1 + SCHEMES.indexOf(scheme)
  ]!;

/** WCAG 2.2: "relative luminance", then "contrast ratio". */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [dim, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (bright! + 0.05) / (dim! + 0.05);
}

describe('tones', () => {
  it('measures contrast as WCAG does', () => {
    expect(contrast('#000000', '#ffffff')).to.be.closeTo(21, 0.01);
    expect(contrast('#767676', '#ffffff')).to.be.closeTo(4.54, 0.01);
  });

  for (const scheme of SCHEMES) {
    for (const tone of TONE_NAMES) {
      it(`${tone} has enough contrast in the ${scheme} scheme, on its wash, a card and the page`, () => {
        const ink = colour(scheme, `tone-${tone}`);
        for (const ground of [`tone-${tone}-wash`, 'page', 'raised']) {
          expect(contrast(ink, colour(scheme, ground)), ground).to.be.at.least(4.5);
        }
      });
    }
  }

  it('have a CSS rule each', () => {
    for (const tone of TONE_NAMES) expect(css).to.include(`[data-tone='${tone}'] {`);
  });
});
