import { CHART_WIDTH } from '../charts/chart-theme';
import { type ReportImage } from '../report-shape';
import { INLINE_STYLES, STYLES } from './report-styles';
import { type ReportView, type Row, type Table, type Tile } from './report-view';
import { escapeHtml } from './report-wording';

type Picture = Pick<ReportImage, 'cid' | 'alt' | 'height'>;

/** The pictures of a report; empty charts have none. */
export type Pictures = Partial<Record<'activity' | 'answers' | 'campaigns' | 'mailboxes', Picture>>;

const TILES_PER_ROW = 4;
const FONTS = "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/** The report in MJML, which compiles to the tables and inline styles that mail programs understand. */
export function toMjml(view: ReportView, pictures: Pictures): string {
  const sections = [
    toSection(toHead(view), 'border-radius="10px 10px 0 0"'),
    toSection(toAttention(view)),
    toSection(view.isEmpty ? toTextBlock('There was no activity.', 'quiet', '16px') : toFigures(view, pictures)),
    ...(view.campaigns.rows.length > 0
      ? [toSection(toHeading('Campaigns') + toPicture(pictures.campaigns) + toTable(view.campaigns))]
      : []),
    ...(view.mailboxSentence ? [toSection(toMailboxes(view, pictures))] : []),
    toSection(toFooter(view), 'border-radius="0 0 10px 10px"'),
  ];
  return `<mjml lang="en"><mj-head>
<mj-title>${escapeHtml(view.subject)}</mj-title>
<mj-preview>${escapeHtml(view.preheader)}</mj-preview>
<mj-raw><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></mj-raw>
<mj-attributes>
<mj-all font-family="${FONTS}" />
<mj-section background-color="#ffffff" padding="0" />
<mj-text font-size="15px" line-height="1.5" color="#1f2937" padding="0 24px" />
<mj-table font-size="13px" color="#1f2937" padding="8px 24px 0" />
<mj-image padding="8px 24px 0" />
</mj-attributes>
<mj-style inline="inline">${INLINE_STYLES}</mj-style>
<mj-style>${STYLES}</mj-style>
</mj-head><mj-body background-color="#eef1f6" width="640px" css-class="page">
${sections.join('\n')}
</mj-body></mjml>`;
}

function toSection(content: string, attributes = ''): string {
  return `<mj-section css-class="card" ${attributes}><mj-column>${content}</mj-column></mj-section>`;
}

function toHead({ title, about, days, timezone, greeting, headline }: ReportView): string {
  const { value, label, change, sentence } = headline;
  const large = `<span class="figure strong">${escapeHtml(value)}</span> <span class="unit">${escapeHtml(label)}</span>`;
  return [
    toTextBlock(
      title.toUpperCase(),
      'label',
      '28px',
      'font-size="12px" letter-spacing="1px" font-weight="600" color="#4f46e5"',
    ),
    toTextBlock(about, 'strong', '4px', 'font-size="20px" line-height="1.3" font-weight="700"'),
    toTextBlock(`${days} · ${timezone}`, 'quiet', '2px', 'font-size="13px"'),
    toTextBlock(greeting, '', '20px'),
    `<mj-text padding="8px 24px 0">${large} ${toChange(change)}</mj-text>`,
    toTextBlock(sentence, 'quiet', '4px'),
  ].join('\n');
}

function toAttention({ attention: items, moreAttention }: ReportView): string {
  if (items.length === 0) return toHeading('Needs attention') + toTextBlock('Nothing. Everything works.', 'quiet');
  const rows = items.map(
    ({ severity, sentence }) =>
      `<tr><td class="mark ${severity}" width="4">&nbsp;</td><td class="note" dir="auto">${escapeHtml(sentence)}</td></tr>` +
      '<tr><td class="gap" colspan="2">&nbsp;</td></tr>',
  );
  const notes = `<mj-table role="presentation" font-size="14px" line-height="1.4" padding="0 24px">${rows.join('')}</mj-table>`;
  return toHeading('Needs attention') + notes + (moreAttention && toTextBlock(moreAttention, 'quiet'));
}

function toFigures({ tiles }: ReportView, pictures: Pictures): string {
  const rows = Array.from({ length: Math.ceil(tiles.length / TILES_PER_ROW) }, (_, row) => {
    const cells = tiles.slice(row * TILES_PER_ROW, (row + 1) * TILES_PER_ROW).map(toTile);
    return `<tr>${cells.join('')}</tr>`;
  });
  const grid = `<mj-table role="presentation" padding="0 18px">${rows.join('')}</mj-table>`;
  return toHeading('Figures') + grid + toPicture(pictures.activity) + toPicture(pictures.answers);
}

function toMailboxes({ mailboxSentence, mailboxes: lines }: ReportView, pictures: Pictures): string {
  return (
    toHeading('Mailboxes') + toTextBlock(mailboxSentence, 'quiet') + toPicture(pictures.mailboxes) + toTable(lines)
  );
}

function toTile({ label, value, rate, change }: Tile): string {
  return [
    '<td class="tile" width="25%" valign="top">',
    `<div class="name quiet">${escapeHtml(label)}</div><div class="value strong">${escapeHtml(value)}</div>`,
    `<div>${toChange(change)}</div><div class="small quiet">${escapeHtml(rate) || '&nbsp;'}</div></td>`,
  ].join('');
}

function toChange({ text, tone }: Tile['change']): string {
  return `<span class="small ${tone}">${escapeHtml(text)}</span>`;
}

function toTable({ title, columns, rows }: Table): string {
  const kinds = columns.map(({ isExtra }) => `cell number${isExtra ? ' extra' : ''}`);
  const titles = columns.map(
    (column, index) => `<th class="${kinds[index]} head quiet">${escapeHtml(column.title)}</th>`,
  );
  const lines = rows.map((row) => {
    const cells = kinds.map((kind, index) => `<td class="${kind}">${escapeHtml(row.cells[index] ?? '')}</td>`);
    return `<tr>${toNameCell(row)}${cells.join('')}</tr>`;
  });
  return `<mj-table><tr><th class="cell text head quiet">${escapeHtml(title)}</th>${titles.join('')}</tr>${lines.join('')}</mj-table>`;
}

/** Isolates the text direction of a name from its surroundings. */
function toNameCell({ mark, name, note }: Row): string {
  const noteHtml = note && `<div class="small quiet">${escapeHtml(note)}</div>`;
  return `<td class="cell text strong">${escapeHtml(mark)}<span dir="auto">${escapeHtml(name)}</span>${noteHtml}</td>`;
}

function toPicture(image: Picture | undefined): string {
  if (!image) return '';
  const { cid, alt, height } = image;
  const size = `width="${CHART_WIDTH}px" height="${height}px"`;
  return `<mj-image css-class="chart" src="cid:${cid}" alt="${escapeHtml(alt)}" ${size} />`;
}

function toFooter({ footer: lines, publicUrl }: ReportView): string {
  const url = escapeHtml(publicUrl);
  const settings = `The recipients and the schedule of this report are set in the workspace at <a class="link" href="${url}">${url}</a>.`;
  const text = [...lines.map(escapeHtml), settings].join('<br />');
  const rule = '<mj-divider css-class="rule" border-width="1px" border-color="#e5e7eb" padding="24px 24px 12px" />';
  return `${rule}<mj-text css-class="quiet" padding="0 24px 28px" font-size="12px" color="#6b7280">${text}</mj-text>`;
}

function toHeading(text: string): string {
  return toTextBlock(text, 'strong', '28px', 'font-size="16px" font-weight="700" padding-bottom="8px"');
}

function toTextBlock(text: string, kind: string, above = '0', attributes = ''): string {
  const colour = kind === 'quiet' ? 'color="#6b7280"' : '';
  const inner = `<span dir="auto">${escapeHtml(text)}</span>`;
  return `<mj-text css-class="${kind}" padding-top="${above}" ${colour} ${attributes}>${inner}</mj-text>`;
}
