/** The mark of extension/icons/mark.svg, drawn in the colours of the theme. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  return <img src="icons/mark.svg" width={size} height={size} alt="" class="mark" />;
}
