import { type Topic } from '../vocabulary';

export const daily: readonly Topic[] = [
  {
    name: 'meeting-moved',
    subjects: [
      'Nossa [reunião|conversa] da semana que vem',
      '[Nova data|Outro horário] para a nossa [reunião|conversa]',
      '[Mudança de horário|Reunião]: {project}',
    ],
    opening: [
      [
        'Surgiu um imprevisto e preciso [mudar|adiar] a nossa [reunião|conversa] sobre o projeto {project}.',
        'Infelizmente tenho de [adiar|mudar] a nossa [reunião|conversa] sobre {project}, peço [desculpas|mil desculpas].',
        'A minha agenda [mudou|ficou complicada], e a nossa [reunião|conversa] sobre {project} já não cabe no horário previsto.',
      ],
      [
        '[Seria possível|Você poderia] na {day} da semana que vem, às {time}?',
        'Podemos [conversar|nos encontrar] na {day} da semana que vem, às {time}?',
        'Que tal na {day} da semana que vem, [por volta das|às] {time}?',
      ],
      [
        'Se não for bom para você, é só propor [outro horário|dois outros horários].',
        'Precisamos de [no máximo|mais ou menos] [meia hora|quarenta minutos], e os temas são os mesmos.',
        'Mudo o convite assim que [tiver a sua resposta|receber notícias suas].',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[Sem problema|Problema nenhum], {day} às {time} fica [bem|ótimo|perfeito] para mim.',
            'Na {day} às {time} está [perfeito|ótimo] para mim[, agradeço o aviso|].',
          ],
          [
            'Já [anotei na agenda|reservei o horário] e levo [os números mais recentes|os pontos em aberto|as notas da última vez].',
            'Pode enviar o novo convite, que até lá eu [preparo|revejo] os pontos em aberto.',
          ],
        ],
        closing: [
          [
            '[Ótimo|Perfeito], agradeço a flexibilidade. Acabei de mudar o convite, então até {day} às {time}.',
            'Agradeço, isso ajuda [muito|bastante]. O novo convite está a caminho, e nos vemos na {day}.',
          ],
        ],
      },
      {
        reply: [
          [
            'Na {day} fica [difícil|complicado] para mim, tenho reuniões [o dia todo|quase o dia todo].',
            'Eu gostaria, mas na {day} vou estar [em viagem|num curso] até a noite.',
          ],
          [
            'Seria possível [uma semana depois|na semana seguinte], [no mesmo horário|mais ou menos no mesmo horário]?',
            'Podemos deixar para [uma semana depois|a semana seguinte]? Aí tenho mais margem.',
          ],
        ],
        closing: [
          [
            '[Claro|Com certeza], uma semana depois é igualmente bom. Envio [já|daqui a pouco] um novo convite.',
            'Sem problema, fazemos uma semana depois. O novo convite chega [ainda hoje|em alguns minutos].',
          ],
        ],
      },
    ],
  },
  {
    name: 'invoice-question',
    subjects: [
      '[Pergunta|Dúvida|Pequena dúvida] sobre a fatura',
      'Fatura do projeto {project}',
      'Um detalhe na fatura de {project}',
    ],
    opening: [
      [
        'Estou [revendo|organizando] os documentos do projeto {project} e tenho uma pequena dúvida sobre a última fatura.',
        'A nossa contabilidade perguntou pela última fatura do projeto {project}.',
        'Ao arquivar os documentos de {project}, reparei num [pequeno |]detalhe na última fatura.',
      ],
      [
        'Parece que falta [o número do pedido|a referência do projeto], e sem isso o documento acaba na pasta errada.',
        'Ainda aparece o nosso endereço antigo, embora tenhamos mudado [na primavera|há algum tempo].',
        'Uma linha diz apenas "serviços", e precisaríamos de uma [breve |]descrição.',
      ],
      [
        'Poderia enviar uma versão corrigida até {day}?',
        'Poderia [verificar|dar uma olhada] quando tiver um momento?',
        'Poderia verificar, ou dizer [quem trata disso|com quem devo falar]?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Agradeço [o aviso|a observação], tem [toda a |]razão.',
            'Peço desculpa, isso se perdeu quando mudamos o modelo.',
          ],
          [
            'Já corrigi e envio a nova versão [ainda hoje|até amanhã|esta tarde].',
            'A versão corrigida chega [amanhã de manhã|até o fim do dia].',
          ],
        ],
        closing: [
          [
            '[Ótimo|Perfeito], agradeço a ajuda tão rápida. Assim que a nova versão chegar, passo para a contabilidade.',
            'Agradeço por tratar disso tão depressa. Aviso à contabilidade que a nova versão está a caminho.',
          ],
        ],
      },
      {
        reply: [
          [
            'Não sei [ao certo|com certeza], por isso perguntei ao nosso escritório.',
            'Quem trata disso é o nosso escritório, já [encaminhei|passei] a sua mensagem.',
          ],
          [
            'A resposta com os dados certos chega [até {day}|ainda esta semana].',
            'A equipe escreve diretamente para você [até {day}|em um ou dois dias].',
          ],
        ],
        closing: [
          [
            'Agradeço por encaminhar, da nossa parte não há pressa. Fico à espera da mensagem do seu escritório.',
            'Muito bem, não preciso de mais nada. Deixo o documento de lado até o seu escritório responder.',
          ],
        ],
      },
    ],
  },
  {
    name: 'lunch',
    subjects: [
      'Almoço na {day}?',
      '[Um almoço|Almoçar] na semana que vem?',
      'Tempo para um almoço?',
      'Almoço em {city}',
    ],
    opening: [
      [
        'Faz [tempo|muito tempo] que não almoçamos juntos.',
        'Na próxima {day} vou estar perto do seu escritório e [pensei em você|gostaria de aproveitar].',
        'Abriu um [pequeno |]restaurante [perto da estação|aqui na esquina], e eu gostaria de conhecer.',
      ],
      [
        'Vamos almoçar na {day} da semana que vem?',
        'Já tem planos para o almoço na {day} da semana que vem?',
        'Que tal um almoço na {day} da semana que vem, [por volta do meio-dia|lá pelo meio-dia e meia]?',
      ],
      [
        'Podemos falar de {project}, ou simplesmente [pôr a conversa em dia|conversar um pouco].',
        'Também gostaria de saber como vai o projeto {project}.',
        'Eu reservo a mesa, é só dizer do que gosta.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[Que boa ideia|Adorei a ideia], {day} fica [bem|ótimo|perfeito] para mim.',
            '[Com prazer|Com muito gosto], na {day} ainda não tenho nada marcado.',
          ],
          [
            'Podemos nos encontrar [ao meio-dia e meia|ao meio-dia] em frente ao seu escritório?',
            'Eu como [de tudo|quase de tudo], por isso escolha o lugar de que mais gostar.',
          ],
        ],
        closing: [
          [
            '[Ótimo|Que bom], reservo a mesa [e envio o endereço|para nós]. Até {day}, estou [mesmo |]na expectativa.',
            'Muito bem, eu trato da mesa. Passo para buscar você na {day}, [na recepção|na entrada].',
          ],
        ],
      },
      {
        reply: [
          [
            'Agradeço [o convite|a lembrança], mas na {day} vou estar [em viagem|fora do escritório|num cliente].',
            'Eu gostaria muito, mas na {day} [já tenho um compromisso|tenho uma reunião atrás da outra].',
          ],
          [
            'Podemos deixar para a semana seguinte? A minha agenda vai estar bem mais [calma|leve].',
            'Que tal [um café|um almoço] na semana seguinte? [Qualquer dia|Quase qualquer dia] serve.',
          ],
        ],
        closing: [
          [
            'Sem problema, fica para a semana seguinte. Vou propor dois ou três dias [no começo da semana|com tempo].',
            '[Claro|Com certeza], a semana seguinte é igualmente boa. Escrevo assim que souber os meus horários.',
          ],
        ],
      },
    ],
  },
  {
    name: 'travel',
    subjects: ['[Viagem|Nossa viagem] a {city}', '{city} [na semana que vem|na {day}]', '[Plano|Planos] para {city}'],
    opening: [
      [
        'Estou [preparando|planejando] [a|a nossa] viagem a {city} da semana que vem.',
        'Na {day} da semana que vem nos esperam em {city}, e eu gostaria de organizar a viagem.',
        'A [visita|reunião] em {city}, na {day} da semana que vem, está confirmada.',
      ],
      [
        'Eu iria de ônibus [de manhã|por volta das oito], assim chegamos [com calma|a tempo].',
        'De ônibus são [umas|pouco mais de] duas horas, e podemos preparar a reunião no caminho.',
        'Pensei em ir na véspera à tarde, para [começar o dia com calma|evitar a correria da manhã].',
      ],
      [
        'Quer que eu reserve [também |]um lugar para você?',
        'Viajamos juntos, ou você vem [por conta própria|de outro lugar]?',
        'Fica bem assim, ou prefere ir de carro?',
      ],
    ],
    answers: [
      {
        reply: [
          ['[Sim, por favor|Ótima ideia], vamos juntos.', '[Bom plano|Boa ideia], [vou com você|pode contar comigo].'],
          [
            'Um lugar [na janela|mais à frente] seria [ideal|ótimo], assim revemos os slides de {project} no caminho.',
            'Levo os documentos de {project}, assim podemos [rever|olhar] tudo na viagem.',
          ],
        ],
        closing: [
          [
            '[Perfeito|Ótimo], reservei dois lugares lado a lado. Envio os [horários|detalhes] [hoje à noite|mais tarde].',
            'Muito bem, trato dos lugares para nós dois. Podemos nos encontrar [na plataforma|na entrada principal] dez minutos antes da partida.',
          ],
        ],
      },
      {
        reply: [
          [
            'Agradeço [a pergunta|a lembrança], mas [desta vez |]vou de carro.',
            'É muita gentileza, mas já vou estar [na região|lá] na véspera.',
          ],
          [
            'Podemos nos encontrar [meia hora|vinte minutos] antes [na entrada|no saguão] e rever os pontos principais?',
            'Poderíamos tomar um café antes da reunião e rever a nossa parte.',
          ],
        ],
        closing: [
          [
            '[Claro|Boa ideia], nos encontramos lá meia hora antes. Levo uma [breve |]pauta para nós dois.',
            'Por mim fica [muito bem|ótimo assim]. Chego um pouco antes e procuro um canto tranquilo.',
          ],
        ],
      },
    ],
  },
  {
    name: 'weekend-event',
    subjects: ['[Próximo sábado|Convite para sábado]', 'Sábado em {city}', 'Vem a {city} no sábado?'],
    opening: [
      [
        'No próximo sábado há [uma pequena feira|um evento|um congresso] em {city} que pode ser do seu interesse.',
        'Alguns de nós vão no próximo sábado [à feira|ao congresso] em {city}.',
        'Já ouviu falar [da feira|do congresso] do próximo sábado em {city}?',
      ],
      [
        'De manhã há [boas|algumas] palestras, e uma delas combina [muito |]bem com o projeto {project}.',
        'O programa é [variado|interessante], e vai [muita|bastante] gente da nossa área.',
        'No ano passado o ambiente foi muito [agradável|tranquilo], e conheci pessoas [interessantes|ótimas].',
      ],
      [
        'Quer vir conosco? Saímos [por volta das nove|às oito e meia].',
        'Que tal? Ainda há um lugar no carro.',
        'Quer que eu [faça a inscrição|ponha o seu nome na lista]? A família também pode vir.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Parece [ótimo|um bom dia], [pode contar comigo|vou com prazer].',
            '[Que coincidência|Que bom], eu estava justamente pensando em ir.',
          ],
          [
            'Vou por outro caminho e encontro vocês na entrada [por volta das|às] dez horas.',
            'Se ainda houver lugar no carro, [aceito|vou] com muito gosto.',
          ],
        ],
        closing: [
          [
            '[Ótimo|Que bom], então somos [quatro|cinco]. Na sexta envio a todos uma mensagem com [os horários|o ponto de encontro].',
            'Muito bem, está anotado. Vai ser um bom dia, e com certeza sobra tempo para um café.',
          ],
        ],
      },
      {
        reply: [
          [
            'Parece bom, mas no sábado [recebemos a família|já temos planos].',
            'No sábado não posso, [a minha irmã vai mudar de casa|festejamos um aniversário].',
          ],
          [
            'Pode trazer [o programa|um folheto], ou contar [na segunda|depois] o que foi mais interessante?',
            'Conte [tudo|como foi] na semana que vem, tenho muito interesse.',
          ],
        ],
        closing: [
          [
            'Que pena, mas entendo [perfeitamente|muito bem]. Vou anotar tudo e conto como foi [na segunda|na semana que vem].',
            'Não faz mal, talvez no ano que vem. Trago tudo o que parecer [útil|interessante].',
          ],
        ],
      },
    ],
  },
  {
    name: 'thank-you',
    subjects: ['Agradeço [mais uma vez|de coração]', 'Um [breve|pequeno] agradecimento', 'A sua ajuda foi muito útil'],
    opening: [
      [
        'Queria apenas agradecer a sua [ajuda|colaboração] no projeto {project}.',
        'Agradeço mais uma vez [o seu tempo|a boa conversa|a visita] em {city}.',
        'Foi uma [reunião|conversa] muito [agradável|útil] sobre {project}, e queria agradecer por isso.',
      ],
      [
        'As suas [ideias|notas] já ajudaram [muito|bastante], e a [primeira|próxima] versão está quase pronta.',
        'A equipe gostou muito das suas [sugestões|dicas], e estamos testando tudo [esta semana|agora].',
        'Compartilhei as suas [anotações|reflexões] com a equipe, e todos acharam muito úteis.',
      ],
      [
        'Se um dia eu puder fazer algo por você, é só [dizer|falar].',
        'Vamos manter contato, talvez com [uma ligação|um café] [no mês que vem|daqui a algumas semanas].',
        'Depois [conto|digo] [como continua|no que deu].',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[De nada|Foi um prazer], gostei muito de trabalhar com todos vocês.',
            'Agradeço as [palavras|palavras gentis], ajudei com muito gosto.',
          ],
          [
            'Tenho curiosidade de ver o resultado, pode [enviar|mandar] [quando quiser|sem problema].',
            'Também gostei, depois [conte|diga] como [continua|ficou].',
          ],
        ],
        closing: [
          [
            'Pode deixar. Envio a [primeira|próxima] versão assim que estiver apresentável, e a sua opinião [sincera |]é sempre bem-vinda.',
            'Que bom ler isso. Vamos marcar [um café|uma ligação] para daqui a [duas ou três|algumas] semanas.',
          ],
        ],
      },
      {
        reply: [
          [
            'Agradeço a mensagem, [alegrou o meu dia|foi muito gentil].',
            'Que [gentileza|simpatia] a sua, vou contar aos outros.',
          ],
          [
            'Esqueci de dizer uma coisa: [comecem devagar|façam algo simples] e peçam logo opiniões. Posso [enviar|procurar] as nossas anotações sobre isso.',
            'Se quiser, [procuro|envio] [a nossa lista|as notas] de [um projeto parecido|um projeto do ano passado].',
          ],
        ],
        closing: [
          [
            'Que ótimo, isso vai ajudar [muito|bastante]. Vou falar disso na próxima reunião e depois conto o que os outros acham.',
            'Sim, seria [muito útil|uma grande ajuda]. Não há pressa, na semana que vem está ótimo.',
          ],
        ],
      },
    ],
  },
];
