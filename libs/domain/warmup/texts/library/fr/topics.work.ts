import { type Topic } from '../vocabulary';

export const work: readonly Topic[] = [
  {
    name: 'document-review',
    subjects: [
      '[Projet de document|Première version|Nouvelle version] pour {project}',
      'Votre avis sur le document {project}',
      '{project} : document à relire',
    ],
    opening: [
      [
        'La [première|nouvelle|deuxième] version du document {project} est [prête|terminée].',
        'J’ai [terminé|repris] le document sur {project} dont nous avions parlé.',
        'Ma version du document {project} se trouve [maintenant|enfin] dans le dossier partagé.',
      ],
      [
        'Avant de l’envoyer aux autres, j’aimerais votre avis, surtout sur la [deuxième|troisième] partie.',
        'Un autre regard serait [utile|bienvenu], en particulier sur [l’introduction|la partie centrale].',
        '[L’introduction|La conclusion] ne me plaît pas encore tout à fait, vous aurez peut-être une [meilleure |]idée.',
      ],
      [
        'Pourriez-vous le [lire|relire] avant {day} ?',
        'Si vous trouvez [une demi-heure|vingt minutes] avant {day}, ce serait très [utile|aimable].',
        'Des remarques [en marge|dans le texte] me vont très bien, quand vous voulez avant {day}.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Je viens de le lire, tout est [clair|bien écrit|facile à suivre].',
            '[Beau travail|Très bon travail], je l’ai lu [ce matin|avec un café] et je n’ai que [quelques|de petites] remarques.',
          ],
          [
            'Dans la [deuxième|troisième] partie, je mettrais [l’exemple|le tableau] en premier, et la conclusion pourrait être un peu plus courte.',
            'L’introduction pourrait dire plus tôt [de quoi il s’agit|à qui le texte s’adresse], sinon je ne changerais rien.',
          ],
        ],
        closing: [
          [
            'Merci, ce sont de [bonnes|très bonnes] remarques. J’intègre vos remarques [aujourd’hui|demain] et j’envoie le document à tous {day}.',
            'Cela m’aide [beaucoup|vraiment], merci. Je modifie cela et je dépose la version [finale|propre] dans le dossier.',
          ],
        ],
      },
      {
        reply: [
          [
            '[Volontiers|Bien sûr], mais je ne pourrai pas m’y mettre avant {day} [après-midi|soir].',
            'Je le lirai avec plaisir, ce sera sans doute {day} [après-midi|en fin de journée].',
          ],
          [
            'Est-ce assez tôt pour vous ? Sinon, quelqu’un de l’équipe pourrait peut-être commencer.',
            'S’il vous le faut plus tôt, dites-moi quelles [deux|trois] pages comptent le plus et je les lirai en premier.',
          ],
        ],
        closing: [
          [
            '{day} suffit [largement|tout à fait], prenez votre temps. La [première|deuxième] partie compte le plus, vous connaissez déjà le reste.',
            'C’est bien assez tôt, merci. J’attends vos remarques et j’en profite pour [vérifier|revoir] les chiffres.',
          ],
        ],
      },
    ],
  },
  {
    name: 'project-status',
    subjects: [
      '{project} : où en sommes-nous ?',
      '[Point|Petit point|Avancement] sur {project}',
      '{project} avant {day}',
    ],
    opening: [
      [
        'Pour la réunion de {day}, je [rassemble|prépare] l’état d’avancement de {project}.',
        '{day}, nous parlerons de {project} [avec toute l’équipe|en réunion hebdomadaire].',
        'Je mets à jour [en ce moment |]la vue d’ensemble de {project}.',
      ],
      [
        'De notre côté, la maquette est [prête|terminée], et les essais sont [à moitié faits|bien avancés].',
        'Nous tenons [à peu près|globalement] le calendrier, seule la [traduction|documentation] prend un peu plus de temps.',
        'La liste des points ouverts est bien plus courte, il n’en reste que [trois|quatre].',
      ],
      [
        'Où en êtes-vous [de votre côté|pour votre partie] ?',
        'Pourriez-vous m’écrire deux ou trois phrases sur votre partie ?',
        'Y a-t-il quelque chose qui vous [freine|bloque], ou pour quoi nous pouvons aider ?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'De notre côté, tout [avance comme prévu|se passe bien].',
            'Bonnes nouvelles, nous avons même [un peu|légèrement] d’avance.',
          ],
          [
            'La [première|deuxième] partie est [testée|terminée], la suite arrive [avant {day}|dans la semaine].',
            'Nous avons terminé [deux|trois] gros points [cette semaine|la semaine dernière], et rien ne nous bloque.',
            'Il ne manque que [le manuel|un accord], et nous devrions l’avoir avant {day}.',
          ],
        ],
        closing: [
          [
            'C’est [très bien|parfait], merci à vous. Je le reprends tel quel dans la vue d’ensemble et je vous la montre avant {day}.',
            '[Parfait|Formidable], il ne m’en faut pas plus. Remerciez toute l’équipe de ma part.',
          ],
        ],
      },
      {
        reply: [
          [
            'Nous avons quelques jours de retard, deux collègues étaient [malades|absents] la semaine dernière.',
            'Cela avance, mais [plus lentement|un peu moins vite] que prévu.',
          ],
          [
            'Il serait utile de revoir ensemble l’ordre des [tâches|points] [avant {day}|cette semaine].',
            'Si la validation pouvait avoir lieu [un ou deux jours|un peu] plus tard, nous y arriverions [sans stress|dans de bonnes conditions].',
          ],
        ],
        closing: [
          [
            'Merci de le dire [franchement|assez tôt]. Nous pouvons décaler les dates [un peu|de quelques jours], je vous appelle pour parcourir la liste.',
            'Aucun problème, [deux|quelques] jours de plus ne gênent personne. Je le note et je cherche un moment pour nous deux.',
          ],
        ],
      },
    ],
  },
  {
    name: 'supplier',
    subjects: [
      '[Nouveau|Autre] fournisseur pour {project}',
      'Votre expérience avec les fournisseurs de {city}',
      'Fournisseurs à {city}',
    ],
    opening: [
      [
        'Nous cherchons un [nouveau|deuxième] fournisseur pour [les imprimés|les emballages|le mobilier] de {project}.',
        'Notre fournisseur [d’emballages|d’imprimés] ferme son atelier de {city} à la fin de l’année.',
        'Pour {project}, il nous faut un fournisseur [fiable|sérieux] près de {city}.',
      ],
      [
        'Vous avez travaillé là-bas avec quelqu’un [l’an dernier|il y a quelque temps], si je me souviens bien.',
        'On m’a dit que le vôtre vous donnait [toute |]satisfaction.',
        'Un travail soigné et des délais tenus comptent plus pour nous qu’un grand catalogue.',
      ],
      [
        'Pourriez-vous nous [recommander|indiquer] quelqu’un, ou nous donner un contact ?',
        'Quelle a été votre impression, et à qui faut-il s’adresser ?',
        'Auriez-vous dix minutes [cette semaine|{day}] pour m’en parler ?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Oui, nous travaillons depuis [trois|quelques] ans avec une [petite |]entreprise familiale près de {city}.',
            'Le nôtre nous donne [vraiment |]satisfaction, c’est une petite entreprise près de {city}.',
          ],
          [
            'Les délais sont tenus, et en cas de souci il y a toujours quelqu’un au téléphone.',
            'L’équipe est aimable et sérieuse, il faut seulement commander tôt [en été|avant les fêtes].',
          ],
          [
            'Je vous envoie le contact [cet après-midi|demain].',
            'Dites [simplement |]que vous [venez de notre part|nous connaissez].',
          ],
        ],
        closing: [
          [
            'C’est exactement ce que nous cherchons, merci. Je les appelle [cette semaine|{day}] et je vous raconterai.',
            '[Parfait|Formidable], merci pour la recommandation. Je vais convenir d’une visite et leur transmettre vos salutations.',
          ],
        ],
      },
      {
        reply: [
          [
            'Nous ne travaillons plus avec eux, c’était devenu trop loin pour nous.',
            'Pour être franc, notre impression était partagée : du bon travail, mais [souvent|en général] une semaine de retard.',
          ],
          [
            'Je peux demander à nos collègues de l’entrepôt, qui en ont rencontré deux autres [le mois dernier|sur un salon].',
            'Je peux me renseigner {day}, quelqu’un connaît sûrement une meilleure adresse.',
          ],
        ],
        closing: [
          [
            'Merci pour cette réponse franche, cela nous évite [bien des|quelques] soucis. Ce serait très aimable de vous renseigner.',
            'C’est bon à savoir. J’attends que vous ayez des nouvelles, nous avons encore [quelques|plusieurs] semaines.',
          ],
        ],
      },
    ],
  },
  {
    name: 'training',
    subjects: [
      '[Formation|Atelier] [à {city}|de {day}]',
      '[Deux places|Des places] pour [la formation|l’atelier]',
      '[Cette formation|Cet atelier] pourrait vous intéresser',
    ],
    opening: [
      [
        'Nous organisons un atelier [d’une journée|d’une demi-journée] {day} de la semaine prochaine[, à {city}|].',
        'Il y a une formation sur [la prise de parole|la gestion de projet|l’écriture] à {city}, {day} de la semaine prochaine.',
        'Notre service propose une formation à l’animation de réunions, {day} de la semaine prochaine.',
      ],
      [
        'Il reste deux places, et j’ai [tout de suite |]pensé à [vous|votre équipe].',
        'La personne qui l’anime est excellente, j’ai suivi un de ses cours [l’an dernier|autrefois].',
        'Cela commence à {time} et c’est très pratique, [avec beaucoup d’exercices|sans longues présentations].',
      ],
      [
        'Aimeriez-vous participer[, vous ou quelqu’un de votre équipe|] ?',
        'Est-ce que cela vous intéresse, ou [peut-être |]quelqu’un qui vient d’arriver chez vous ?',
        'Dites-moi [d’ici demain|dans les prochains jours] si je dois garder une place.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Oui, [avec grand plaisir|très volontiers], gardez-moi une place.',
            'Merci d’avoir pensé à moi, je viendrai [volontiers|avec plaisir].',
          ],
          [
            'Faut-il [préparer|apporter] quelque chose, ou un carnet suffit-il ?',
            'Y a-t-il quelque chose à lire avant, et dans quelle salle cela a-t-il lieu ?',
          ],
        ],
        closing: [
          [
            'Vous êtes sur la liste, [parfait|très bien]. Un carnet suffit, et je vous enverrai la salle la veille.',
            'L’inscription est faite, il n’y a rien à préparer. La salle est [au deuxième étage|près de la cantine], et le café est prévu.',
          ],
        ],
      },
      {
        reply: [
          [
            '{day}, je ne peux [malheureusement |]pas me libérer, mais quelqu’un chez nous cherchait justement [cela|une telle formation].',
            'Ce n’est pas la bonne semaine pour moi, mais quelqu’un de nouveau dans notre équipe en profiterait [bien|beaucoup].',
          ],
          [
            'Pourriez-vous garder la place jusqu’à demain ? Je pose la question [tout de suite|aujourd’hui].',
            'Puis-je transmettre votre message, et garderiez-vous la place [jusqu’à demain|entre-temps] ?',
          ],
        ],
        closing: [
          [
            'Bien sûr, je garde la place [deux jours|jusqu’à après-demain]. Il me faudra seulement le nom pour la liste.',
            'Oui, faites [donc|sans souci]. Les questions peuvent m’être envoyées directement, et la place reste réservée.',
          ],
        ],
      },
    ],
  },
  {
    name: 'onboarding',
    subjects: ['Du renfort pour {project}', 'Première semaine dans l’équipe', '[Petite présentation|Rencontre] {day}'],
    opening: [
      [
        '{day} prochain, quelqu’un rejoint notre équipe et reprendra une partie de {project}.',
        'Nous avons pourvu le poste ouvert : une nouvelle personne nous rejoint {day} prochain.',
        'Notre renfort pour {project} commence {day} prochain.',
      ],
      [
        'Ce serait bien que vous fassiez connaissance [tôt|dès le début].',
        'Je prépare le programme de la première semaine et j’aimerais [beaucoup |]que vous y soyez.',
        'Vous connaissez les débuts du projet mieux que [personne|la plupart d’entre nous].',
      ],
      [
        'Auriez-vous [une demi-heure|trente minutes] à {time} pour une [courte |]présentation ?',
        'Pourriez-vous montrer comment travaille votre équipe, par exemple à {time} ?',
        'Pourriez-vous [passer|nous rejoindre] à {time} et dire quelques mots sur votre [équipe|partie] ?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[Avec plaisir|Bien sûr], j’ai [le temps|une demi-heure] {day}.',
            'C’est une bonne nouvelle pour votre équipe, j’aiderai avec plaisir.',
          ],
          [
            'Je montrerai les [premières|principales] étapes et je laisserai du temps pour les questions.',
            'Il existe une page avec les questions les plus fréquentes, je vous l’enverrai [avant|aujourd’hui].',
          ],
        ],
        closing: [
          [
            'C’est très [aimable|gentil], merci. Je vous inscris pour {day} à {time} et j’envoie l’invitation.',
            'Parfait, merci de prendre ce temps. Je l’ajoute au programme de {day}, et j’apporterai le café.',
          ],
        ],
      },
      {
        reply: [
          [
            'Ce serait avec plaisir, mais cette semaine-là je suis [presque tous les jours|le plus souvent] en déplacement.',
            'C’est une bonne idée, mais ma semaine est déjà [très|bien] remplie.',
          ],
          [
            'Pourrions-nous plutôt faire [un appel|une visioconférence], ou nous voir une semaine plus tard ?',
            'Quelqu’un de mon équipe pourrait faire la présentation, et je viendrais [plus tard|la deuxième semaine].',
          ],
        ],
        closing: [
          [
            '[Bien sûr|Entendu], cela va tout aussi bien. Je le prévois ainsi et je vous envoie le nouveau programme [demain|bientôt].',
            'Bonne proposition, faisons comme cela. Il y a de toute façon beaucoup à lire au début, un peu plus tard est même mieux.',
          ],
        ],
      },
    ],
  },
  {
    name: 'tool-question',
    subjects: [
      '[Question|Petite question|Une question] sur l’outil de planification',
      'Comment faites-vous dans l’outil de planification ?',
      '[Un peu d’aide|Petit coup de main] avec le planning',
    ],
    opening: [
      [
        'Vous connaissez bien notre outil de planification, peut-être pourrez-vous m’aider [rapidement|].',
        'Je prépare le tableau de {project} et je n’avance plus.',
        'Depuis la dernière mise à jour, la vue de {project} est [différente|étrange] sur mon écran.',
      ],
      [
        'Quand je [déplace|copie] une tâche vers la semaine suivante, les commentaires disparaissent.',
        'Je ne trouve pas le réglage avec lequel toute l’équipe voit la même liste.',
        'La liste ne montre que mes propres [tâches|entrées], celles des autres manquent.',
      ],
      [
        'Avez-vous déjà [vu|rencontré] cela ?',
        'Comment faites-vous dans votre équipe ?',
        'Pourriez-vous m’[expliquer|apprendre] cela en cinq minutes {day} ?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Oui, je connais cela, cela m’est arrivé [aussi|récemment].',
            'C’est [assez |]simple, mais j’ai cherché un bon moment moi aussi.',
          ],
          [
            'Ouvrez le menu en haut à droite, choisissez les réglages et passez l’affichage sur [équipe|tous].',
            'Il faut fermer le tableau une fois, le rouvrir, puis choisir la vue commune[ à gauche|].',
          ],
          ['Si cela ne marche [toujours |]pas, appelez-moi [simplement|sans hésiter].', 'Dites-moi si cela a marché.'],
        ],
        closing: [
          [
            'C’était bien cela, merci [beaucoup|infiniment] ! J’aurais cherché encore une heure, je le note pour les autres.',
            '[Parfait|Formidable], cela marche à nouveau. Merci pour votre aide rapide, je vous dois un café.',
          ],
        ],
      },
      {
        reply: [
          [
            'Je n’ai pas encore vu cela, c’est sans doute un changement de la dernière mise à jour.',
            'C’est [étrange|curieux], chez moi tout est comme [avant|d’habitude].',
          ],
          [
            'Je demande à notre service informatique et je reviens vers vous [avant {day}|demain].',
            '{day}, j’aurai un peu de temps, nous pourrons regarder cela ensemble.',
          ],
        ],
        closing: [
          [
            'Ce serait [très aimable|vraiment parfait], merci. Rien ne presse, d’ici là je travaille avec [l’ancienne|une simple] liste.',
            'Merci [de vérifier|de votre aide], sans vous, je ne voyais plus quoi faire. D’ici là, je laisse tout [ainsi|en l’état].',
          ],
        ],
      },
    ],
  },
];
