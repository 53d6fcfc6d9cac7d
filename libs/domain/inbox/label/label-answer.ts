import { type Answer } from '../text/visible-text';
import { type Labelled, labelByRules, type Reply } from './label-by-rules';

export type LabelledAnswer = Pick<Reply, 'text' | 'subject'> & Pick<Answer, 'sure' | 'above'>;

/**
 * The label of an answer, whatever was taken for quote and signature: an opt-out above the first quote counts, and so do
 * interest and absence where the text says nothing. Words that may be those of the quoted mail are never certain.
 */
export function labelAnswer({ text, subject, sure, above }: LabelledAnswer): Labelled {
  const said = labelByRules({ text: sure ?? text, subject });
  const saysNothing = said.rule === 'nothing-recognised' || said.rule === 'empty';
  if (above && said.label !== 'unsubscribe_request' && !isCertainInterest(said)) {
    const more = labelByRules({ text: above, subject: '' });
    if (more.label === 'unsubscribe_request') return more;
    if (saysNothing && (more.label === 'positive' || more.label === 'out_of_office')) return more;
  }
  if (sure === undefined || !saysNothing) return said;
  return { ...labelByRules({ text, subject: '' }), confidence: 'low' };
}

/** Below it a footer may offer to unsubscribe. */
function isCertainInterest({ label, confidence }: Labelled): boolean {
  return label === 'positive' && confidence === 'high';
}
