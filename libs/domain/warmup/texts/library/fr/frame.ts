import { type Details, type Frame, type Slot } from '../vocabulary';

export const details: Details = {
  day: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi'],
  time: ['9 h 30', '10 h', '10 h 30', '11 h', '14 h', '14 h 30', '15 h', '15 h 30'],
  project: ['Comète', 'Cascade', 'Nova', 'Boréal', 'Boussole', 'Méridien', 'Phare', 'Delta'],
  city: ['Lyon', 'Nantes', 'Bordeaux', 'Lille', 'Rennes', 'Toulouse', 'Genève', 'Namur'],
};

export const frame: Frame = {
  goesOnAfterComma: false,
  noon: 12,
  evening: 18,
  greetings: {
    always: ['Bonjour {name},', 'Bonjour {name} !'],
    morning: ['Bonjour {name},'],
    afternoon: ['Bonjour {name},'],
    evening: ['Bonsoir {name},'],
  },
  wishes: {
    always: [
      'J’espère que vous allez bien.',
      'J’espère que tout [va bien|se passe bien] [pour vous|de votre côté].',
      'J’espère que ce [message|petit mot] vous trouve en forme.',
    ],
    monday: [
      'J’espère que vous avez passé un [bon|agréable] week-end.',
      'J’espère que la semaine [commence|démarre] bien pour vous.',
    ],
    midweek: [
      'J’espère que votre semaine se passe bien.',
      'J’espère que la semaine [avance|se déroule] [bien|comme vous le souhaitez].',
    ],
    friday: [
      'J’espère que votre semaine s’est bien passée.',
      'La semaine est [passée vite|vite passée], n’est-ce pas ?',
    ],
  },
  farewells: {
    always: ['[Bonne|Belle|Excellente] journée !', 'À bientôt !', 'À très vite.'],
    monday: ['[Bonne|Belle] semaine à vous !', 'Bon début de semaine !'],
    midweek: ['Bonne continuation !', '[Bonne|Belle] suite de semaine !'],
    friday: ['[Bon|Très bon|Excellent] week-end !', '[Bon|Très bon] week-end à vous !'],
  },
  signOffs: [
    'Bien à vous,',
    'Cordialement,',
    'Bien cordialement,',
    'Très cordialement,',
    'Amicalement,',
    'Bien amicalement,',
    'Meilleures salutations,',
  ],
};

export const lastWords: readonly Slot[] = [
  [
    '[Parfait|Très bien|C’est parfait], tout est donc [réglé|en ordre] [de mon côté|pour moi].',
    '[Bonne nouvelle|Très bien], nous avons donc [tout ce qu’il faut|l’essentiel].',
    'Cela me convient [tout à fait|très bien], merci pour votre [réponse rapide|message].',
  ],
  [
    'Si quelque chose [change|survient] [entre-temps|d’ici là], [écrivez-moi|faites-moi signe] [simplement|sans hésiter].',
    'N’hésitez pas à [m’écrire|revenir vers moi] s’il reste [un point à voir|une question].',
    'Vous pouvez me joindre [ici |]à tout moment si [un détail|quelque chose] n’est pas clair.',
  ],
  [
    'D’ici là, [bon courage|bonne continuation] pour {project} !',
    'Je croise les doigts pour {project}[ en attendant| d’ici là|].',
    '[Bien le bonjour|Mes amitiés] à [toute l’équipe|l’équipe] de {project} !',
  ],
];

export const partingWords: readonly Slot[] = [
  [
    'Merci, [c’est bon à savoir|j’y penserai|c’est très aimable à vous].',
    '[Entendu|C’est noté], merci pour [ces mots gentils|votre message|cette bonne collaboration].',
  ],
  [
    'Je [reviendrai vers vous|vous écrirai à nouveau] dès qu’il y aura du nouveau sur {project}.',
    'Dès que {project} aura avancé d’une étape, vous [aurez de mes nouvelles|recevrez un petit message de ma part].',
    'Sinon, nous en reparlerons au plus tard [à|lors de] la prochaine étape de {project}.',
  ],
];
