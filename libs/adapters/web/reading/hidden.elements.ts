/** The part of a parsed page that is looked at here; the parser's own types are those of a browser, which this program is not. */
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

/** Styles by which text is on a page and nobody sees it. */
const HIDING =
  /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*(hidden|collapse)|content-visibility\s*:\s*hidden|opacity\s*:\s*0?\.?0*\s*(;|!|$)|font-size\s*:\s*0?\.?0*\s*(px|em|rem|pt|%)?\s*(;|!|$)|(max-)?(width|height)\s*:\s*0(px)?\s*(;|!|$)|text-indent\s*:\s*-\d{3,}|(left|top|right|bottom)\s*:\s*-\d{4,}|clip\s*:\s*rect\(\s*0|clip-path\s*:\s*inset\(\s*(50|100)%|color\s*:\s*transparent)/i;

/** What every reader of a page is spared: what is hidden, as far as the page itself says so without its style sheets and scripts. */
export function removeHidden(root: PageElement): void {
  for (const element of root.querySelectorAll('[hidden],[aria-hidden],[style],dialog,input')) {
    if (isHidden(element)) element.remove();
    // Nobody needs it any more, and parsers of styles take their time over long ones.
    else element.removeAttribute('style');
  }
}

function isHidden(element: PageElement): boolean {
  if (element.localName === 'input') return true;
  if (element.localName === 'dialog') return !element.hasAttribute('open');
  if (element.hasAttribute('hidden')) return true;
  if (element.getAttribute('aria-hidden')?.trim().toLowerCase() === 'true') return true;
  return HIDING.test(element.getAttribute('style') ?? '');
}
