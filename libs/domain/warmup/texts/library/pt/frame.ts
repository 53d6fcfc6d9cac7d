import { type Details, type Frame, type Slot } from '../vocabulary';

export const details: Details = {
  day: ['segunda-feira', 'terça-feira', 'quarta-feira', 'quinta-feira', 'sexta-feira'],
  time: ['9h30', '10h', '10h30', '11h', '14h', '14h30', '15h', '15h30'],
  project: ['Atlas', 'Horizonte', 'Nova', 'Orion', 'Bússola', 'Meridiano', 'Farol', 'Delta'],
  city: ['Curitiba', 'Campinas', 'Recife', 'Salvador', 'Sorocaba', 'Joinville', 'Londrina', 'Santos'],
};

export const frame: Frame = {
  goesOnAfterComma: false,
  noon: 12,
  evening: 18,
  greetings: {
    always: ['Olá {name},', 'Olá, {name},', 'Oi {name},'],
    morning: ['Bom dia {name},', 'Bom dia, {name},'],
    afternoon: ['Boa tarde {name},', 'Boa tarde, {name},'],
    evening: ['Boa noite {name},'],
  },
  wishes: {
    always: [
      'Espero que [esteja tudo bem|esteja tudo bem com você|você esteja bem].',
      'Espero que esteja tudo correndo bem [por aí|do seu lado].',
      'Espero que [tudo esteja em ordem|esteja tudo em ordem] por aí.',
    ],
    monday: ['Espero que o fim de semana tenha sido [bom|ótimo|tranquilo].', 'Espero que a semana tenha começado bem.'],
    midweek: [
      'Espero que a semana esteja [correndo|indo] bem.',
      'Espero que a sua semana esteja sendo [boa|produtiva].',
    ],
    friday: ['Espero que a semana tenha sido [boa|produtiva].', 'A semana passou [voando|depressa], não foi?'],
  },
  farewells: {
    always: ['Um [bom|ótimo] dia!', 'Tenha um [bom|ótimo] dia!', 'Até breve!'],
    monday: ['Uma [boa|ótima] semana!', 'Bom começo de semana!'],
    midweek: ['Bom resto de semana!', 'Ótimo resto de semana!'],
    friday: ['Um [bom|ótimo] fim de semana!', 'Bom fim de semana!'],
  },
  signOffs: [
    'Um abraço,',
    'Abraços,',
    'Grande abraço,',
    'Um forte abraço,',
    'Atenciosamente,',
    'Cordialmente,',
    'Saudações,',
  ],
};

export const lastWords: readonly Slot[] = [
  [
    '[Perfeito|Ótimo|Muito bem], então da minha parte fica tudo [certo|resolvido].',
    'Que bom saber, então já temos [tudo|tudo o que é preciso].',
    'Assim fica [bem|ótimo] para mim, agradeço a [resposta rápida|mensagem].',
  ],
  [
    'Se [nesse meio-tempo|até lá] surgir mais alguma coisa, [me escreva|me avise] sem problema.',
    'Se algo mudar ou faltar alguma coisa, é só [me escrever|me avisar].',
    'Pode falar comigo [por aqui|a qualquer momento] se ficar alguma dúvida.',
  ],
  [
    'Até lá, [boa sorte|bom trabalho] com o projeto {project}!',
    'Fico na torcida por {project}[ até lá| por aqui|].',
    '[Lembranças|Um abraço] a [toda a equipe|todos] do projeto {project}!',
  ],
];

export const partingWords: readonly Slot[] = [
  [
    'Agradeço, [é bom saber|vou me lembrar disso|é muita gentileza].',
    '[Combinado|Pode deixar], agradeço [as palavras gentis|a sua mensagem|a boa colaboração].',
  ],
  [
    '[Volto a escrever|Escrevo de novo] assim que houver alguma novidade sobre o projeto {project}.',
    'Assim que o projeto {project} der o próximo passo, [você terá notícias minhas|mando uma breve mensagem].',
    'De resto, conversamos [o mais tardar|com certeza] quando o projeto {project} der o próximo passo.',
  ],
];
