import { type RenderedReport } from '../content/report-shape';

/** Embeds the pictures in the HTML for a browser: `cid:` works in mail programs only. */
export function inlineImages({ html, images }: Pick<RenderedReport, 'html' | 'images'>): string {
  return images.reduce(
    (page, { cid, png }) =>
      page.replaceAll(`src="cid:${cid}"`, () => `src="data:image/png;base64,${png.toString('base64')}"`),
    html,
  );
}
