/** The used part of a parsed page; the parser's types would require the browser's type library. */
export interface PageElement {
  readonly nodeType: number;
  readonly localName: string;
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  querySelectorAll(selector: string): Iterable<PageElement>;
  append(text: string): void;
  removeAttribute(name: string): void;
  after(text: string): void;
  remove(): void;
}

/** Styles, without spaces, that hide text of a page. */
const HIDING =
  /(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|content-visibility:hidden|opacity:0?\.?0*(?:;|!|$)|font-size:0?\.?0*(?:px|em|rem|pt|%)?(?:;|!|$)|(?:max-)?(?:width|height):0(?:px)?(?:;|!|$)|text-indent:-\d{3,}|(?:left|top|right|bottom):-\d{4,}|clip:rect\(0|clip-path:inset\((?:50|100)%|color:transparent)/i;

/** Removes elements that the page itself hides, without evaluating style sheets and scripts. */
export function removeHidden(root: PageElement): void {
  for (const element of root.querySelectorAll('[hidden],[aria-hidden],[style],dialog,input')) {
    if (isHidden(element)) element.remove();
    // It is no longer needed, and long styles are slow to parse.
    else element.removeAttribute('style');
  }
}

function isHidden(element: PageElement): boolean {
  if (element.localName === 'input') return true;
  if (element.localName === 'dialog') return !element.hasAttribute('open');
  if (element.hasAttribute('hidden')) return true;
  if (element.getAttribute('aria-hidden')?.trim().toLowerCase() === 'true') return true;
  // Blanks are irrelevant there; optional blanks in the pattern would cost quadratic time.
  return HIDING.test((element.getAttribute('style') ?? '').replace(/\s+/g, ''));
}
