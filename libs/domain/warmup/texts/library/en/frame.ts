import { type Details, type Frame, type Slot } from '../vocabulary';

export const details: Details = {
  day: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  time: ['9:30', '10:00', '10:30', '11:00', '14:00', '14:30', '15:00', '15:30'],
  project: ['Atlas', 'Horizon', 'Nova', 'Orion', 'Compass', 'Meridian', 'Lighthouse', 'Delta'],
  city: ['Bristol', 'Leeds', 'Dublin', 'Manchester', 'Boston', 'Toronto', 'Edinburgh', 'Denver'],
};

export const frame: Frame = {
  goesOnAfterComma: false,
  noon: 12,
  evening: 18,
  greetings: {
    always: ['Hi {name},', 'Hello {name},', 'Hi {name}!'],
    morning: ['Good morning {name},', 'Morning {name},'],
    afternoon: ['Good afternoon {name},'],
    evening: ['Good evening {name},'],
  },
  wishes: {
    always: [
      'I hope [you are doing well|you are well|all is well with you|everything is fine on your side].',
      'I hope this [note|message] finds you well.',
      'Hope you are doing [well|fine].',
    ],
    monday: [
      'I hope you had a [good|nice|relaxing|restful] weekend.',
      'Hope the [new ]week has started well for you.',
      'I hope you [enjoyed the weekend|had a good start to the week].',
    ],
    midweek: [
      'I hope your week is going [well|smoothly].',
      'I hope you are having a [good|productive] week [so far|].',
    ],
    friday: ['I hope you had a [good|productive] week.', 'The week has [flown by|gone by quickly], hasn’t it?'],
  },
  farewells: {
    always: ['Have a [good|great|nice|lovely] day!', 'Have a good one!', 'Talk [soon|to you soon].'],
    monday: ['Have a [good|great] start to the week!', 'Have a [good|great|nice] week!'],
    midweek: ['Enjoy the rest of the week!', 'Have a [good|great] rest of the week!'],
    friday: ['Have a [great|good|nice|lovely] weekend!', 'Enjoy [the|your] weekend!'],
  },
  signOffs: [
    'Best regards,',
    'Kind regards,',
    'Best,',
    'Best wishes,',
    'Regards,',
    'Warm regards,',
    'All the best,',
    'Cheers,',
  ],
};

export const lastWords: readonly Slot[] = [
  [
    '[Great|Perfect|Wonderful], then we have [everything|it all] sorted[ from my side|].',
    '[Good|Great] to hear, [so|then] we are all set[ here|].',
    '[Sounds good|That works], [thanks|thank you] for the quick [note|message|word].',
  ],
  [
    'If anything else comes up[ in the meantime|], just [drop me a line|send me a short note|let me know].',
    '[Just|Simply] [get in touch|write to me|let me know] if [something changes|you need anything else|anything else comes up].',
    'You can [reach me here|reach me|write to me] [at any time|whenever you like] if [something|anything] is still [open|unclear].',
  ],
  [
    '[Good luck|All the best] with {project}[ until then| in the meantime|]!',
    'I am keeping my fingers crossed for {project}[ in the meantime|].',
    'And [say hello to|best wishes to|greetings to] [the team|everyone] working on {project}!',
  ],
];

export const partingWords: readonly Slot[] = [
  [
    'Thank you, [that is good to know|I will keep that in mind|that is kind of you].',
    '[Will do|I will], [thank you|thanks] for [the kind words|your message|the good work together].',
  ],
  [
    'I will [write again|get back to you] [as soon as|when] there is [any|some] news about {project}.',
    'As soon as {project} [moves on|takes the next step], you will [hear from me|get a short note] [again|].',
    '[Otherwise|Apart from that] we will [talk|speak] when {project} [is a step further|takes the next step][, at the latest|].',
  ],
];
