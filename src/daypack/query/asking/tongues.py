"""Questions about the whole project in other languages, word by word in English.

Unter welcher Lizenz steht das Projekt?     under which license is this project
¿Cómo lo instalo?                           how it i install
如何报告安全漏洞？                            how to report security vulnerability

A table has the words of such questions and no others, so a question with any other word has no reading here: it is about a part.
An infinitive ("installer") reads as "to install", and the first person ("instalo") as "i install". Accents may be left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from daypack.text import analysis
from daypack.text.languages import Language

_UNSPACED = (Language.CHINESE, Language.JAPANESE, Language.KOREAN)

# key=words; in both "_" is a blank. One without words says nothing.
_ENGLISH = {
    Language.GERMAN: """abhängigkeiten=dependencies aktuelle=current aktuellen=current am=to an=in anwendung=application app=app architektur=architecture aufbau=structure aufgebaut=structured autor=author
        autoren=authors baue=build bauen=to_build baut=build beitragen=contribute benutzen=to_use benutzt=used benötigt=needed beschreibe=describe betreut=maintains bibliothek=library
        bibliotheken=libraries braucht=need ci=ci code=code codebasis=codebase das=this dem=the den=the der=the des=the die=the diese=this diesem=this dieser=this dieses=this ein=the eine=a
        einen=the eingerichtet=configured einstiegspunkt=entrypoint entwickelt=develops er=it erkläre=explain erklär=explain es=it externe=external fange=begin fange_ich_an=i_begin fasse=describe
        fasse_zusammen=summary für=for geht=is geschrieben=wrote geändert=changed gib=give haben=has hat=has hängt=does_depend ich=i im=in in=in installiere=install installieren=to_install
        installiert=install integration=integration ist=is kann=can konfiguriert=configured kontinuierliche=continuous letzten=last letzte=last lizenz=license lizenzen=licenses lizenziert=licensed
        macht=does man=one melde=report melden=to_report meldet=report mir=me mitmachen=contribute neu=new neue=new neuen=new neueste=latest neuesten=latest nutzen=to_use ob=does pakete=packages
        pflegt=maintains programm=program projekt=project projekts=project quellcode=code repo=repo repository=repository schwachstelle=vulnerability schwachstellen=vulnerabilities
        sicherheitslücke=vulnerability sicherheitslücken=vulnerabilities sich= sind=are software=software soll=should sollte=should starte=start starten=to_start startet=start steht=is
        struktur=structure strukturiert=structured test=test teste=test testen=to_test tests=tests tun=do tut=does um=about unser=our unter=under version=version verwenden=to_use verwendet=used
        von=of war=is warum=why was=what wartet=maintains welche=which welchem=which welchen=which welcher=which welches=which wer=who werden=are wie=how wird=is wo=where wofür=what_for worum=what
        wovon=what wozu=what_for wurde=is zusammen=summary zusammenfassung=summary zweck=purpose änderungen=changes über=about überblick=overview übersicht=overview organisiert=organized
        definiert=defined ab=on umgebungsvariable=environment_variable umgebungsvariablen=environment_variables liest=reads bei=at führe=run führt=run aus=""",
    Language.FRENCH: """a=for actuelle=current aperçu=overview application=application architecture=architecture auteur=author auteurs=authors but=purpose bibliothèque=library bibliothèques=libraries c=this ce=this
        cet=this cette=this changements=changes changé=changed ci=ci code=code commencer=to_begin comment=how compiler=to_build configurée=configured construire=to_build continue=continuous
        contribuer=to_contribute d=of dans=in de=of dernière=last dois=should donne=give du=of décris=describe définie=defined démarrer=to_start dépend=does_depend dépendances=dependencies
        dépôt=repository entrée=entry est=is est_ce_que=does est_ce_qui=is et=and explique=explain fait=does faire=do faille=vulnerability failles=vulnerabilities il=it installer=to_install
        intégration=integration intégration_continue=ci je=i l=the la=the lancer=to_run le=the les=the licence=license licences=licenses logiciel=software maintenu=maintained maintient=maintains
        mainteneur=maintainer mainteneurs=maintainers moi=me neuf=new nouveautés=new objectif=purpose on=one organisé=organized où=where peut=can point=point pour=for pourquoi=why problème=problem
        programme=program projet=project puis=can qu=what quel=which quelle=which quelles=which quels=which que=what qui=who quoi=what récente=recent résume=summarize résumé=summary se_trouve=is
        sert=does signaler=to_report sont=are sous=under structure=structure structuré=structured sur=on sécurité=security test=test tester=to_test tests=tests un=the une=a utilise=use
        utiliser=to_use utilisées=used utilisés=used version=version vulnérabilité=vulnerability vulnérabilités=vulnerabilities y=there à=for écrit=wrote ça=this environnement=environment lit=reads
        variable=variable variables=variables exécuter=to_run""",
    Language.SPANISH: """actual=current a=to aplicación=application arquitectura=architecture autor=author autores=authors bajo=under biblioteca=library bibliotecas=libraries cambiado=changed cambió=changed
        cambios=changes ci=ci código=code compilar=to_build compilo=i_build cómo=how configurada=configured construir=to_build continua=continuous contribuir=to_contribute contribuyo=i_contribute
        cuál=what cuáles=which dame=give de=of debería=should_i definida=defined del=of dependencias=dependencies depende=does_depend describe=describe descripción=description distribuye=licensed
        dónde=where el=the ejecuta=run ejecutar=to_run ejecuto=i_run empezar=to_begin empiezo=i_begin en=in entrada=entry es=is_it escribió=wrote esta=this este=this esto=this estructura=structure
        estructurado=structured está=is están=are explica=explain fallo=vulnerability ha=has hace=does hacer=do informo=i_report instala=to_install instalar=to_install instalarlo=to_install_it
        instalo=i_install integración=integration integración_continua=ci la=the las=the librería=library librerías=libraries licencia=license licencias=licenses lo=it los=the mantiene=maintains
        mantenedor=maintainer mantenedores=maintainers me=me necesita=need novedades=new nuevo=new objetivo=purpose organizado=organized para=for por_qué=why problema=problem programa=program
        propósito=purpose proyecto=project pruebas=tests puedo=can_i punto=point qué=what quién=who quiénes=who reportar=to_report reporto=i_report repositorio=repository resume=summarize
        resumen=summary se=one seguridad=security sirve=does software=software son=are su=its tests=tests tiene=has trata=is un=a una=a última=last usa=use usan=used usar=to_use usarlo=to_use_it
        uso=i_use versión=version visión=overview vulnerabilidad=vulnerability vulnerabilidades=vulnerabilities entorno=environment lee=reads variable=variable variables=variables corro=i_run
        correr=to_run""",
    Language.PORTUGUESE: """a=the aplicação=application arquitetura=architecture as=the atual=current autor=author autores=authors biblioteca=library bibliotecas=libraries ci=ci como=how compilar=to_build
        compilo=i_build configurada=configured contribuir=to_contribute contribuo=i_contribute contínua=continuous código=code da=of_the de=of definida=defined depende=does_depend
        dependências=dependencies desta=of_this deste=of_this devo=should_i do=of_the distribuído=licensed e=and ele=it em=in entrada=entry escreveu=wrote essa=this esse=this esta=this este=this
        estrutura=structure está=is estão=are executar=to_run executo=i_run explique=explain falha=vulnerability faz=does fica=is instala=to_install instalar=to_install instalo=i_install
        integração=integration integração_contínua=ci isso=this isto=this licença=license licenças=licenses lo=it mantenedor=maintainer mantenedores=maintainers mantém=maintains mudanças=changes
        mudou=changed na=in no=in novidades=new novo=new o=the objetivo=purpose onde=where organizado=organized os=the para=for pelo=of ponto=point por_que=why posso=can_i problema=problem
        programa=program projeto=project qual=which quais=which que=what quem=who relatar=to_report relato=i_report reportar=to_report reporto=i_report repositório=repository resumo=summary
        rodar=to_run rodo=i_run se=one segurança=security serve=does seu=its sob=under software=software são=are tem=has testar=to_test testes=tests um=a uma=a última=last usa=use usadas=used
        usar=to_use uso=i_use versão=version visão_geral=overview vulnerabilidade=vulnerability vulnerabilidades=vulnerabilities à=the é=is_it ambiente=environment lê=reads variáveis=variables
        variável=variable neste=this projecto=project aplicativo=application começo=i_begin começar=to_begin construir=to_build estruturado=structured propósito=purpose visão=overview
        descreva=describe""",
    Language.CHINESE: """ci=ci 的= 了= 吗= 呢= 有= 在= 上= 中=in 和=and 我=i 我们=we 它=it 请= 一下= 是=is_it 是什么=is_what 什么=what 哪个=which 哪些=which 有哪些=has_which 哪种=which 多少=what 谁=who 哪里=where 哪儿=where 在哪=where 在哪里=where 在哪儿=where
        如何=how_to 怎么=how_to 怎样=how_to 为什么=why 这=this 这个=this 该=this 本=this 项目=project 程序=program 软件=software 库=library 仓库=repository 代码=code 代码库=codebase 应用=application 许可证=license 许可=license
        许可协议=license 开源协议=license 协议=license 授权=license 使用=use 用=use 采用=use 遵循=use 依赖=the_dependencies 依赖项=the_dependencies 依赖库=the_dependencies 第三方=third-party 外部=external 需要=need 持续集成=ci
        配置=configured 定义=defined 维护=maintains 维护者=maintainer 作者=author 开发者=author 贡献者=contributors 报告=i_report 提交=report 安全=security 漏洞=vulnerability 安全漏洞=vulnerability 问题=problem 版本=version
        当前=current 现在=current 目前=current 最新=latest 最新版=latest_version 上一个=last 变化=changes 变更=changes 更新=changes 改变=changes 改动=changes 新功能=new_features 新=new 入口=entrypoint 入口点=entrypoint 应该=should
        选择=choose 安装=install 运行=run 启动=start 开始=start 测试=tests 构建=build 编译=build 贡献=contribute 参与=contribute 架构=architecture 结构=structure 概述=overview 介绍=introduction 做=do 做什么=do_what 做什么的=do_what
        干什么=do_what 作用=purpose 环境变量=environment_variables 支持=supported 读取=read 工具=tool 干=do 用来=for 用途=purpose 什么样=what 啥=what 部署=setup 开发=develop 组织=organized 简介=introduction 概况=overview 总结=summary
        说明=explain 解释=explain 描述=describe 目的=purpose 关于=about""",
    Language.JAPANESE: """ci=ci の= は= を= が= に= で= と=and も= へ= か= て= る= です= ですか= ます= ますか= する= した= します= しますか= して= いる= います= いますか= ある= あります= ありますか= 教えて= ください= され= されて= この=this これ=this 本=this 何=what 何ですか=what
        何をする=what_does どの=which どんな=which どれ=which 誰=who だれ=who どこ=where どうやって=how_to どのように=how_to どうすれば=how_to には=to するには=to 方法=how_to やり方=how_to なぜ=why プロジェクト=project プログラム=program ソフトウェア=software
        ライブラリ=library リポジトリ=repository コード=code アプリ=app ライセンス=license 使用=use 使う=use 使い方=how_to_use 利用=use 使って=use 依存関係=the_dependencies 依存=dependencies 依存ライブラリ=the_dependencies
        依存パッケージ=the_dependencies 必要=need 外部=external 継続的インテグレーション=ci 設定=configured 定義=defined メンテナー=maintainer メンテナ=maintainer 作者=author 作成者=author 開発者=author 保守=maintains 管理=maintains 報告=i_report
        脆弱性=vulnerability セキュリティ=security セキュリティ上=security 問題=problem バージョン=version 現在=current 現行=current 最新=latest 最新版=latest_version 前回=last リリース=release 変更=changes 変更点=changes 変わり=changed
        変わった=changed ましたか= 新機能=new_features 新しい=new エントリポイント=entrypoint エントリーポイント=entrypoint べき=should_i インストール=install 実行=run 起動=start 始める=start テスト=tests ビルド=build コンパイル=build 貢献=contribute
        アーキテクチャ=architecture 構造=structure 構成=structure 概要=overview 目的=purpose 環境変数=the_environment_variables レポジトリ=repository ライブラリー=library アプリケーション=application ソフト=software ツール=tool ソースコード=code
        コードベース=codebase なに=what なん=what どういう=what とは=what_is もの= できる= ための= について=about 仕方=how_to 使います=use セットアップ=setup 導入=install 始め方=how_to_begin 開発=develop アーキテクチャー=architecture 設計=architecture
        紹介=introduction 要約=summary 説明=explain 下さい= 動かす=run なって=""",
    Language.ITALIAN: """cosa=what che=what qual=what quale=what quali=what è=is fa=does serve=does a=for per=for come=how com=how il=the la=the lo=the i=the gli=the le=the l=the un=the una=the questo=this
        questa=this progetto=project repository=repository libreria=library programma=program applicazione=application software=software codice=code si=one installa=install installo=i_install
        installare=to_install esegue=run eseguo=i_run eseguire=to_run avvia=start avvio=i_start avviare=to_start usa=use uso=i_use usare=to_use compila=compile compilo=i_compile compilare=to_compile
        test=tests posso=i_can contribuire=to_contribute contribuisco=i_contribute organizzato=organized strutturato=structured struttura=architecture architettura=architecture scopo=purpose
        obiettivo=purpose spiega=explain spiegami=explain descrivi=describe riassumi=summarize panoramica=overview di=of del=of della=of dello=of licenza=license sotto=under ha=has versione=version
        dipendenze=dependencies""",
    Language.DUTCH: """wat=what welke=what waar=what waarvoor=what is=is zijn=are doet=does dient=is gaat=is over=about hoe=how het=the de=the een=the dit=this deze=this project=project repository=repository
        bibliotheek=library programma=program applicatie=application toepassing=application software=software code=code codebase=codebase ik=i je=one men=one kan=can installeer=install
        installeert=install voer=run uit= draai=run start=start gebruik=use bouw=build test=test tests=tests testen=tests bijdragen=contribute opgebouwd=structured gestructureerd=structured
        georganiseerd=organized structuur=architecture architectuur=architecture doel=purpose samenvatting=summary overzicht=overview beschrijving=description beschrijf=describe leg=explain
        geef=give me=me van=of onder=under valt=is heeft=has licentie=license versie=version afhankelijkheden=dependencies""",
    Language.RUSSIAN: """что=what чего=what чём=what какая=what какой=what какова=what это=this этот=this эта=this этого=this этой=this о=about об=about для=for делает=does нужен=is нужна=is нужно=is как=how_to у=of
        под=under проект=project проекта=project проекте=project репозиторий=repository репозитория=repository библиотека=library библиотеки=library библиотеку=library программа=program
        программы=program программу=program приложение=application код=code кода=code установить=install поставить=install запустить=run запускать=run собрать=build собирать=build тесты=tests
        использовать=use начать=begin внести= вклад=contribute устроен=structured устроена=structured организован=organized структура=architecture структуру=architecture архитектура=architecture
        архитектуру=architecture цель=purpose назначение=purpose описание=description обзор=overview опиши=describe объясни=explain расскажи=tell мне=me работает=work лицензия=license
        лицензию=license лицензией=license версия=version зависимости=dependencies""",
    Language.POLISH: """co=what czego=what czym=what jaka=what jaki=what jakiej=what jest=is to=it ten=this ta=this tego=this tej=this o=about do=for robi=does służy=does jak=how_to na=under pod=under
        projekt=project projektu=project repozytorium=repository biblioteka=library biblioteki=library bibliotekę=library program=program programu=program aplikacja=application aplikację=application
        kod=code kodu=code zainstalować=install uruchomić=run uruchamiać=run zbudować=build skompilować=compile testy=tests używać=use zacząć=begin współtworzyć=contribute zorganizowany=organized
        zbudowany=structured struktura=architecture architektura=architecture cel=purpose opis=description opisz=describe wyjaśnij=explain mi=me przegląd=overview licencja=license licencję=license
        licencji=license ma=has wersja=version zależności=dependencies""",
    Language.TURKISH: """bu=this ne=what nedir=what_is hangi=what yapar=does yapıyor=does işe=for yarar=does yarıyor=does nasıl=how proje=project projeyi=project projenin=project depo=repository deponun=repository
        kütüphane=library kütüphaneyi=library uygulama=application uygulamayı=application program=program programı=program kod=code kodun=code kurarım=i_install kurulur=i_install yüklerim=i_install
        yüklenir=i_install çalıştırırım=i_run çalıştırılır=i_run testleri=tests testler=tests derlerim=i_build derlenir=i_build başlarım=i_begin kullanırım=i_use kullanılır=i_use
        düzenlenmiş=organized yapılandırılmış=structured yapısı=architecture mimarisi=architecture amacı=purpose hakkında=about açıkla=explain anlat=explain özetle=summarize lisansı=license
        lisans=license sürümü=version bağımlılıkları=dependencies katkıda=contribute bulunurum=i""",
    Language.KOREAN: """이=this 이것=this 본=this 프로젝트=project 저장소=repository 리포지토리=repository 레포=repository 라이브러리=library 프로그램=program 앱=app 애플리케이션=application 소프트웨어=software 도구=tool 코드=code 코드베이스=codebase 은= 는= 가= 을=
        를= 의=of 에= 대해=about 대한=about 무엇=what 무엇을=what 뭐=what 뭘=what 무슨=what 어떤=what 인가요=is 입니까=is 이야=is 야=is 예요=is 이에요=is 인지= 하는=do 하나요=do 하죠=do 합니까=do 해요=do 해야= 되나요= 하면= 거= 거야= 건가요= 것= 위한=for
        어떻게=how_to 방법=how_to 설치=install 실행=run 시작=begin 사용=use 빌드=build 컴파일=compile 테스트=tests 개발=develop 기여=contribute 구조=architecture 구성=architecture 아키텍처=architecture 설계=architecture 되어= 있나요=is
        되어있나요=is 개요=overview 소개=introduction 요약=summary 목적=purpose 설명=explain 알려줘=explain 알려주세요=explain 해줘= 해주세요= 라이선스=license 라이센스=license 버전=version 의존성=dependencies""",
}  # fmt: skip


def word_by_word(text: str) -> Iterator[list[str]]:
    """The words of a question in English, for each language whose table has all of them; "project" is known in each."""
    said = " ".join(analysis.words(text))
    plain = _without_accents(said)
    for language in _ENGLISH:
        meanings, known = _table(language)
        written = said if language in _UNSPACED else plain
        if known.match(written) and not known.sub("", written).strip():
            yield [word for key in known.findall(written) for word in meanings[key].split()]


@cache
def _table(language: Language) -> tuple[dict[str, str], re.Pattern[str]]:
    """(key → its words in English, a pattern of all keys, the longest first)."""
    is_unspaced = language in _UNSPACED
    meanings = {"project": "project"}
    for row in _ENGLISH[language].split():
        key, _, words = row.replace("_", " ").partition("=")
        meanings[key if is_unspaced else _without_accents(key)] = words
    either = "|".join(sorted(map(re.escape, meanings), key=len, reverse=True))
    return meanings, re.compile(either if is_unspaced else rf"(?<!\S)(?:{either})(?!\S)")


def _without_accents(text: str) -> str:
    return "".join(mark for mark in unicodedata.normalize("NFD", text) if not unicodedata.combining(mark))
