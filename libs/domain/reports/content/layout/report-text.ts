import { type ReportView, type Table } from './report-view';

const MARKS = { critical: '!!', warning: '!', info: '-' } as const;

/** The report as plain text, with all content of the HTML. */
export function toReportText(view: ReportView): string {
  const { title, about, days, timezone, greeting, headline, tiles, footer, publicUrl } = view;
  const parts = [
    `${title}: ${about}\n${days} (${timezone})`,
    greeting,
    `${headline.value} ${headline.label}, ${headline.change.text}\n${headline.sentence}`,
    ...toAttentionText(view),
    ...(view.isEmpty
      ? ['There was no activity.']
      : [
          toHeading('Figures', tiles.map(({ label, value, rate, change }) => `${label}: ${value}${rate && ` (${rate})`}, ${change.text}`).join('\n')),
          toHeading('By day', toLines(view.byDay)),
        ]),
    ...(view.campaigns.rows.length > 0 ? [toHeading('Campaigns', toLines(view.campaigns))] : []),
    ...(view.mailboxSentence ? [toHeading('Mailboxes', `${view.mailboxSentence}\n${toLines(view.mailboxes)}`)] : []),
    ['--', ...footer, publicUrl].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
} // prettier-ignore

function toAttentionText({ attention, moreAttention }: ReportView): string[] {
  if (attention.length === 0) return [toHeading('Needs attention', 'Nothing.')];
  const lines = attention.map(({ severity, sentence }) => `${MARKS[severity]} ${sentence}`);
  return [toHeading('Needs attention', [...lines, ...(moreAttention ? [moreAttention] : [])].join('\n'))];
}

function toHeading(title: string, body: string): string {
  return `${title.toUpperCase()}\n${body}`;
}

/** One line per row: columns aligned with blanks break in proportional fonts. */
function toLines({ columns, rows }: Table): string {
  return rows
    .map(({ mark, name, note, cells }) => {
      const texts = cells.map((cell, index) => `${columns[index]?.title.toLowerCase()} ${cell}`);
      return mark + name + (note && ` (${note})`) + (texts.length > 0 ? `: ${texts.join(', ')}` : '');
    })
    .join('\n');
}
