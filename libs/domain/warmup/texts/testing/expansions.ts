import { capitalize, type ChosenDetails } from '../seeded-choice';
import { type Library, type Slot } from '../vocabulary';

const tidy = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/ (?=[,.](?:\s|$))/g, '')
    .trim();

/** Everything that a slot can say. */
export function expansions(slot: Slot, details: ChosenDetails): string[] {
  return slot.flatMap((saying) => {
    let texts = [''];
    for (const part of saying.split(/(\[[^\]]*\])/)) {
      const options = part.startsWith('[') ? part.slice(1, -1).split('|') : [part];
      texts = texts.flatMap((text) => options.map((option) => text + option));
    }
    return texts.map((text) =>
      tidy(text.replace(/\{(\w+)\}/g, (found, name) => details[name as keyof ChosenDetails] ?? found)),
    );
  });
}

/** All slots of a library, with a name for messages. */
export function getSlots({ frame, topics, lastWords, partingWords }: Library): [string, Slot][] {
  const { wishes, farewells, signOffs } = frame;
  return [
    ...topics.flatMap(({ name, subjects, opening, answers }): [string, Slot][] => [
      [`${name} subject`, subjects],
      ...opening.map((slot): [string, Slot] => [`${name} opening`, slot]),
      ...answers.flatMap(({ reply, closing }) => [...reply, ...closing].map((slot): [string, Slot] => [name, slot])),
    ]),
    ...[...lastWords, ...partingWords].map((slot): [string, Slot] => ['last words', slot]),
    ...[...Object.values(wishes), ...Object.values(farewells), signOffs].map((slot): [string, Slot] => ['frame', slot]),
  ];
}

/** A text without its paragraphs, begun with a capital, so that texts can be compared. */
export function flat(text: string): string {
  return capitalize(text.replaceAll('\n\n', ' '));
}
