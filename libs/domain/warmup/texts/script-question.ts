import { type ModelRequest } from '@adapters/llm';
import { SeededChoice } from './seeded-choice';
import { getTextLibrary } from './text-library';
import { getPlot, type ThreadScript, type ThreadSeed } from './thread-script';
import { type TopicName } from './vocabulary';

const TOPICS = {
  'meeting-moved': 'a meeting has to be moved to another day',
  'document-review': 'a draft is to be read before it goes to others',
  'invoice-question': 'a detail is missing on an invoice (no amounts)',
  lunch: 'having lunch together',
  travel: 'a trip to a meeting in another city',
  'project-status': 'the status of a project before a meeting',
  supplier: 'looking for a reliable supplier',
  training: 'a place in a training',
  onboarding: 'a new colleague starts and should be introduced',
  'thank-you': 'thanks for help or for a good conversation',
  'weekend-event': 'an event on Saturday',
  'tool-question': 'a question about a planning tool',
} as const satisfies Readonly<Record<TopicName, string>>;
const ANSWERS = ['agrees gladly', 'cannot, and suggests something else', 'answers and asks one question back'];
const MOODS = ['relaxed', 'brisk', 'warm', 'matter-of-fact', 'cheerful'];

const MAX_TOKENS = 1_000;

const TASK = `You write a short, everyday email thread between two business partners who know each other well: A opens, B answers, A
closes, B says a last word, A bids farewell. You are given, as a JSON object, the language, what it is about, some details to use where they fit, how
B answers, and the mood.

Each mail is only its body: no greeting, no signature, no names of people. 20 to 60 words each, the last two 15 to 30; plain
sentences, each ending in . or ? or !; at most two paragraphs. The subject has 2 to 8 words and no "Re:".
Never write links, addresses, phone numbers, amounts of money, percentages, placeholders, brackets, advertising, or words of urgency.`;

const FIELDS = ['subject', 'opening', 'answer', 'closing', 'lastWord', 'farewell'] as const;
type Field = (typeof FIELDS)[number];

const ANSWER_FORM = {
  name: 'email_thread',
  schema: {
    type: 'object',
    properties: Object.fromEntries(FIELDS.map((field) => [field, { type: 'string' }])),
    required: [...FIELDS],
    additionalProperties: false,
  },
} as const;

/** Creates the question to the model. It contains nothing about persons, mailboxes or workspaces. */
export function createScriptQuestion(
  thread: ThreadSeed,
): Pick<ModelRequest, 'system' | 'user' | 'schema' | 'maxTokens'> {
  const { language, seed } = thread;
  const { topic, details } = getPlot(thread);
  const chance = new SeededChoice('model', seed);
  const user = JSON.stringify({
    language: getTextLibrary(language).traits.modelName,
    about: describeTopic(topic),
    details,
    answer: chance.pick(ANSWERS),
    mood: chance.pick(MOODS),
  });
  return { system: TASK, user, schema: ANSWER_FORM, maxTokens: MAX_TOKENS };
}

/** A topic of the operator is described by its name: `board-meeting` becomes "board meeting". */
function describeTopic(topic: string): string {
  return isBuiltInTopic(topic) ? TOPICS[topic] : topic.replaceAll('-', ' ');
}

function isBuiltInTopic(topic: string): topic is TopicName {
  return Object.hasOwn(TOPICS, topic);
}

/** Parses the model's thread; null for another form. Its wording is checked elsewhere. */
export function parseModelScript(answer: unknown): ThreadScript | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const said = answer as Readonly<Partial<Record<Field, unknown>>>;
  if (Object.keys(said).length !== FIELDS.length) return null;
  const [subject, ...bodies] = FIELDS.map((field) => tidy(said[field]));
  return subject && bodies.every((body) => body !== null) ? { subject, bodies } : null;
}

/** Returns null for other types than text. */
function tidy(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n\n')
    .trim();
}
