import { completion } from '../../../../adapters/llm/testing';

export const ADA = 'ada@acme.test';
export const INTERESTED = 'Sounds good, I am interested. When could we have a call about it next week?';
export const ANSWER = 'Hello Ada,\n\nTuesday at ten would suit us well. Is that good for you?\n\nGrace';

/** The answer of the model. */
export function says(text: string) {
  return completion(JSON.stringify({ refuse: false, reason: 'none', text }));
}

export function refuses(reason: string) {
  return completion(JSON.stringify({ refuse: true, reason, text: '' }));
}
