import { type Topic } from '../vocabulary';

export const work: readonly Topic[] = [
  {
    name: 'document-review',
    subjects: [
      '[Rascunho|Primeiro rascunho|Novo rascunho] de {project}',
      'A sua opinião sobre o documento de {project}',
      '{project}: documento para rever',
    ],
    opening: [
      [
        'O [primeiro|novo|segundo] rascunho do projeto {project} está pronto.',
        '[Terminei|Refiz] o documento sobre {project} de que tínhamos falado.',
        'A minha versão do documento {project} está [agora|finalmente] na pasta compartilhada.',
      ],
      [
        'Antes de enviar aos outros, gostaria da sua opinião, sobretudo na [segunda|terceira] parte.',
        'Um outro olhar [ajudaria|faria bem], em especial para [a introdução|a parte central].',
        '[A introdução|O final] ainda não me convence, talvez você tenha uma ideia [melhor|].',
      ],
      [
        'Poderia [ler|ver] até {day}?',
        'Se encontrar [meia hora|vinte minutos] até {day}, seria [ótimo|uma grande ajuda].',
        'Comentários [na margem|no próprio texto] servem bem, quando quiser, até {day}.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Acabei de ler, está [claro|bem escrito|fácil de seguir].',
            '[Bom trabalho|Muito bom trabalho], li tudo [esta manhã|com um café] e só tenho [algumas|pequenas] observações.',
          ],
          [
            'Na [segunda|terceira] parte eu colocaria [o exemplo|a tabela] primeiro, e o final poderia ser um pouco mais curto.',
            'A introdução poderia dizer mais cedo [do que se trata|a quem se dirige], de resto eu deixaria assim.',
          ],
        ],
        closing: [
          [
            'São [bons|ótimos] pontos. Vou incluir tudo [hoje|amanhã] e enviar o documento a todos na {day}.',
            'Isso ajuda [muito|bastante]. Mudo essa parte e deixo a versão [final|limpa] na pasta.',
          ],
        ],
      },
      {
        reply: [
          [
            '[Claro|Com certeza], mas só consigo na {day} à [tarde|noite].',
            'Leio com gosto, mas só na {day} à tarde devo ter tempo.',
          ],
          [
            'Ainda fica a tempo para você? Se não, talvez alguém da equipe possa começar.',
            'Se precisar antes, diga quais [duas|três] páginas são mais importantes e leio essas primeiro.',
          ],
        ],
        closing: [
          [
            'Até {day} está [muito bem|ótimo], pode ler com calma. A [primeira|segunda] parte é a mais importante, o resto você já conhece.',
            'Fica bem a tempo. Espero os seus comentários e até lá [confiro|revejo] os números.',
          ],
        ],
      },
    ],
  },
  {
    name: 'project-status',
    subjects: ['{project}: como estamos?', '[Situação|Breve situação|Andamento] de {project}', '{project} até {day}'],
    opening: [
      [
        'Para a reunião de {day} estou [reunindo|preparando] a situação de {project}.',
        'Na {day} falamos de {project} na reunião [semanal|com toda a equipe].',
        'Estou [atualizando|escrevendo] o resumo de {project}.',
      ],
      [
        'Do nosso lado o layout está pronto, e os testes estão [pela metade|bem adiantados].',
        'Estamos [mais ou menos|em geral] dentro do plano, só a [tradução|documentação] demora um pouco mais.',
        'A lista de pontos em aberto ficou bem mais curta, só restam [três|quatro].',
      ],
      [
        'Como estão as coisas do seu lado?',
        'Poderia escrever duas ou três frases sobre a sua parte?',
        'Há alguma coisa que esteja [travando|atrasando] vocês, ou em que possamos ajudar?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Do nosso lado tudo corre [como previsto|bem].',
            'Boas notícias, estamos até [um pouco|ligeiramente] à frente do cronograma.',
          ],
          [
            'A [primeira|segunda] parte está [testada|terminada], e o resto chega [até {day}|esta semana].',
            'Fechamos [dois|três] pontos grandes [esta semana|na semana passada], e nada nos trava.',
            'Só falta [o manual|uma aprovação], que deve chegar até {day}.',
          ],
        ],
        closing: [
          [
            'Que [bom|ótimo] saber disso. Passo tudo assim para o resumo e mostro a você antes de {day}.',
            '[Perfeito|Excelente], não preciso de mais nada. Agradeça a toda a equipe por mim.',
          ],
        ],
      },
      {
        reply: [
          [
            'Estamos com alguns dias de atraso, na semana passada faltaram dois colegas.',
            'Está avançando, mas [mais devagar|um pouco mais devagar] do que o previsto.',
          ],
          [
            'Ajudaria se pudéssemos rever juntos a ordem das tarefas [até {day}|esta semana].',
            'Se a revisão pudesse ser [um ou dois dias|um pouco] mais tarde, conseguiríamos [com calma|sem correria].',
          ],
        ],
        closing: [
          [
            'Foi bom você dizer isso [a tempo|com clareza]. Podemos mudar as datas [um pouco|alguns dias], eu ligo e revemos a lista.',
            'Sem problema, [dois|alguns] dias a mais não fazem mal. Anoto no resumo e procuro um horário para nós dois.',
          ],
        ],
      },
    ],
  },
  {
    name: 'supplier',
    subjects: [
      '[Novo|Outro] fornecedor para {project}',
      'A sua experiência com fornecedores em {city}',
      'Fornecedores em {city}',
    ],
    opening: [
      [
        'Procuramos um [novo|segundo] fornecedor para [os impressos|as embalagens|os móveis] de {project}.',
        'O nosso fornecedor de [embalagens|impressos] vai fechar a oficina em {city} no fim do ano.',
        'Para o projeto {project} precisamos de um [bom |]fornecedor perto de {city}.',
      ],
      [
        'Você trabalhou com alguém de lá [no ano passado|há algum tempo], se bem me lembro.',
        'Ouvi dizer que vocês gostam muito do seu.',
        'Para nós contam mais o bom trabalho e os prazos do que um catálogo grande.',
      ],
      [
        'Poderia [recomendar|indicar] alguém, ou passar um contato?',
        'Qual foi a sua impressão, e com quem convém falar?',
        'Teria dez minutos [esta semana|na {day}] para contar como foi?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Sim, trabalhamos há [três|alguns] anos com uma [pequena |]empresa familiar perto de {city}.',
            'Gostamos [mesmo|muito] do nosso, é uma pequena empresa perto de {city}.',
          ],
          [
            'Cumprem os prazos, e se algo falha há sempre alguém ao telefone.',
            'É gente simpática e séria, só convém encomendar cedo [no verão|antes das festas].',
          ],
          ['Envio o contato [esta tarde|amanhã].', 'Pode dizer que [nos conhece|vem da nossa parte].'],
        ],
        closing: [
          [
            'É exatamente o que procuramos. Ligo para lá [esta semana|na {day}] e depois conto como foi.',
            '[Perfeito|Ótimo], agradeço a recomendação. Vou marcar uma visita e mandar lembranças suas.',
          ],
        ],
      },
      {
        reply: [
          [
            'Já não trabalhamos com eles, ficava longe demais para nós.',
            'Com toda a franqueza, a impressão foi média: bom trabalho, mas [muitas vezes|quase sempre] uma semana depois do prazo.',
          ],
          [
            'Posso perguntar ao pessoal do depósito, que conheceu outros dois [no mês passado|numa feira].',
            'Posso perguntar na {day}, alguém deve conhecer um contato melhor.',
          ],
        ],
        closing: [
          [
            'Agradeço a sinceridade, isso nos poupa [muitos|alguns] problemas. Seria ótimo se você pudesse perguntar por aí.',
            'É bom saber. Espero até você ter notícias, ainda temos [algumas|várias] semanas.',
          ],
        ],
      },
    ],
  },
  {
    name: 'training',
    subjects: [
      '[Curso|Oficina] [em {city}|na {day}]',
      '[Duas vagas|Vagas] [no curso|na oficina]',
      '[Um curso|Uma oficina] que pode interessar',
    ],
    opening: [
      [
        'Na {day} da semana que vem organizamos uma oficina de [um dia|meio dia][ em {city}|].',
        'Na {day} da semana que vem há em {city} um curso sobre [apresentações|gestão de projetos|escrita].',
        'O nosso departamento tem na {day} da semana que vem um curso sobre [reuniões|trabalho em equipe].',
      ],
      [
        'Ainda há duas vagas, e pensei [logo |]em [você|sua equipe].',
        'Quem dá o curso é excelente, fiz um deles [no ano passado|há algum tempo].',
        'Começa às {time} e é muito prático, [com muitos exercícios|sem longas apresentações].',
      ],
      [
        'Gostaria de participar[, você ou alguém da equipe|]?',
        'Tem interesse, ou talvez alguém que acabou de chegar?',
        'Diga [até amanhã|nos próximos dias] se devo guardar uma vaga.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Sim, [gostaria muito|vou com prazer], pode guardar uma vaga para mim.',
            'Que bom que pensou em mim, [vou com certeza|vou com muito gosto].',
          ],
          [
            'Preciso [preparar|levar] alguma coisa, ou basta um caderno?',
            'Há alguma coisa para ler antes, e em que sala vai ser?',
          ],
        ],
        closing: [
          [
            'O seu nome está na lista, [ótimo|perfeito]. Basta um caderno, e na véspera envio a sala.',
            'A inscrição está feita, não é preciso preparar nada. A sala fica [no segundo andar|ao lado do refeitório], e haverá café.',
          ],
        ],
      },
      {
        reply: [
          [
            'Na {day} eu não posso, mas alguém da equipe perguntava justamente por [isso|algo assim].',
            'Não é uma boa semana para mim, mas alguém novo na equipe iria aproveitar [muito|bastante].',
          ],
          [
            'Pode guardar a vaga até amanhã? Vou perguntar [já|ainda hoje].',
            'Posso encaminhar a sua mensagem, e você guarda a vaga [até amanhã|enquanto isso]?',
          ],
        ],
        closing: [
          [
            'Claro, guardo a vaga [por dois dias|até depois de amanhã]. Depois só preciso do nome para a lista.',
            'Sim, [fique à vontade|sem problema]. As perguntas podem vir diretamente para mim, e a vaga fica reservada.',
          ],
        ],
      },
    ],
  },
  {
    name: 'onboarding',
    subjects: ['Reforço para {project}', 'Primeira semana na equipe', '[Apresentação|Uma breve apresentação] na {day}'],
    opening: [
      [
        'Na próxima {day} começa alguém novo na nossa equipe, que vai assumir uma parte de {project}.',
        'Preenchemos a vaga: uma pessoa nova começa na próxima {day}.',
        'O nosso reforço para {project} começa na próxima {day}.',
      ],
      [
        'Seria bom que se conhecessem [cedo|logo no início].',
        'Estou preparando o programa da primeira semana e gostaria [muito |]de contar com você.',
        'Você conhece o começo do projeto melhor do que [ninguém|quase todos].',
      ],
      [
        'Teria [meia hora|trinta minutos] às {time} para uma [breve |]apresentação?',
        'Poderia mostrar como a sua equipe trabalha, por exemplo às {time}?',
        'Poderia [passar aqui|se juntar a nós] às {time} e falar um pouco [da sua equipe|da sua parte]?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[Com muito gosto|Com certeza], na {day} tenho [tempo|meia hora].',
            'Que bom que encontraram alguém, ajudo com prazer.',
          ],
          [
            'Vou mostrar os [primeiros|principais] passos e deixar tempo para perguntas.',
            'Há uma página com as perguntas mais frequentes, que envio [antes|ainda hoje].',
          ],
        ],
        closing: [
          [
            'É muita gentileza. Ponho o seu nome na {day} às {time} e envio o convite.',
            'Perfeito, agradeço o seu tempo. Fica no programa de {day}, e eu levo o café.',
          ],
        ],
      },
      {
        reply: [
          [
            'Eu gostaria, mas nessa semana estou fora [quase todos os dias|a maior parte do tempo].',
            'É uma boa ideia, mas essa semana está [muito|bastante] cheia para mim.',
          ],
          [
            'Podemos fazer antes [uma ligação|uma videochamada], ou deixar para uma semana depois?',
            'A apresentação pode ser feita por alguém da minha equipe, e eu entro [mais tarde|na segunda semana].',
          ],
        ],
        closing: [
          [
            '[Claro|Com certeza], assim também está bem. Vou planejar desse modo e enviar o novo programa [amanhã|em breve].',
            'Boa proposta, fazemos assim. No início há mesmo muito para ler, um pouco mais tarde é até melhor.',
          ],
        ],
      },
    ],
  },
  {
    name: 'tool-question',
    subjects: [
      '[Pergunta|Dúvida|Pequena dúvida] sobre a ferramenta de planejamento',
      'Como vocês fazem na ferramenta de planejamento?',
      'Uma [pequena |]ajuda com o planejamento',
    ],
    opening: [
      [
        'Você conhece bem a nossa ferramenta de planejamento, talvez possa ajudar [um instante|].',
        'Estou preparando o quadro de {project} e não consigo avançar.',
        'Desde a última atualização, a visualização de {project} está [diferente|estranha] na minha tela.',
      ],
      [
        'Quando [movo|copio] uma tarefa para a semana seguinte, os comentários desaparecem.',
        'Não encontro a opção com que toda a equipe vê a mesma lista.',
        'A lista só mostra as minhas tarefas, e faltam as dos outros.',
      ],
      [
        'Já aconteceu com você[ também|]?',
        'Como é que fazem na sua equipe?',
        'Poderia [mostrar|explicar] em cinco minutos na {day}?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Sim, conheço, aconteceu comigo [também|há pouco tempo].',
            'É [bastante |]simples, mas também levei um tempo para achar.',
          ],
          [
            'Abra o menu no canto superior direito, escolha as opções e mude a visualização para [equipe|todos].',
            'É preciso fechar o quadro uma vez, abrir de novo e escolher a visualização comum[ à esquerda|].',
          ],
          ['Se ainda assim não der, [pode ligar|é só ligar].', 'Depois diga se funcionou.'],
        ],
        closing: [
          [
            'Era isso mesmo, que alívio! Eu ainda ia procurar mais uma hora, vou anotar para os outros.',
            '[Perfeito|Ótimo], já funciona de novo. Agradeço a ajuda tão rápida, fico devendo um café.',
          ],
        ],
      },
      {
        reply: [
          [
            'Ainda não tinha visto isso, parece uma mudança da última atualização.',
            'Que [estranho|curioso], aqui está tudo como [antes|sempre].',
          ],
          [
            'Vou perguntar à nossa equipe de informática e dou notícias [até {day}|amanhã].',
            'Na {day} tenho um tempo, podemos ver isso juntos.',
          ],
        ],
        closing: [
          [
            'Seria [mesmo ótimo|uma grande ajuda]. Não há pressa, até lá trabalho com [a lista antiga|uma lista simples].',
            'Que bom poder contar com [você|a sua ajuda], eu já não sabia o que fazer. Até lá deixo [tudo|isso] exatamente como está [agora|hoje].',
          ],
        ],
      },
    ],
  },
];
