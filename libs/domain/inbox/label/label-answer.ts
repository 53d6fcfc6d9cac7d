import { type Answer } from '../text/visible-text';
import { type Labelled, labelByRules, type Reply } from './label-by-rules';

export type LabelInput = Pick<Reply, 'text' | 'subject'> & Pick<Answer, 'certainText' | 'textAboveQuote'>;

/**
 * Labels a reply and corrects for text that was taken for quote or signature. An opt-out above the first quote always counts;
 * interest and absence there count when the text itself decides nothing. A label from possibly quoted text has low confidence.
 */
export function labelAnswer({ text, subject, certainText, textAboveQuote }: LabelInput): Labelled {
  const byText = labelByRules({ text: certainText ?? text, subject });
  const saysNothing = byText.rule === 'nothing-recognised' || byText.rule === 'empty';
  if (textAboveQuote && byText.label !== 'unsubscribe_request' && !isCertainInterest(byText)) {
    const above = labelByRules({ text: textAboveQuote, subject: '' });
    if (above.label === 'unsubscribe_request') return above;
    if (saysNothing && (above.label === 'positive' || above.label === 'out_of_office')) return above;
  }
  if (certainText === undefined || !saysNothing) return byText;
  return { ...labelByRules({ text, subject: '' }), confidence: 'low' };
}

/** Certain interest excludes an opt-out: a footer below it may offer to unsubscribe. */
function isCertainInterest({ label, confidence }: Labelled): boolean {
  return label === 'positive' && confidence === 'high';
}
