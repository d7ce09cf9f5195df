"""Questions about the whole project in other languages than English."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from daypack.query import maybe_project, parse_query
from daypack.types import Overview


def asked_for(text: str) -> Overview | None:
    return parse_query(text, now=datetime(2026, 5, 4, tzinfo=UTC)).overview


@pytest.mark.parametrize(
    ("asked", "overview"),
    [
        ("Unter welcher Lizenz steht das Projekt?", Overview.LICENCE),
        ("Welche Abhängigkeiten hat es?", Overview.DEPENDENCIES),
        ("Wer betreut das Projekt?", Overview.PEOPLE),
        ("Wo ist die CI definiert?", Overview.CHECKS),
        ("Wie melde ich eine Sicherheitslücke?", Overview.SECURITY),
        ("Welche Version ist das?", Overview.VERSION),
        ("Was hat sich in der letzten Version geändert?", Overview.RELEASE),
        ("Wo ist der Einstiegspunkt?", Overview.ENTRY),
        ("Welche Umgebungsvariablen liest es?", Overview.ENVIRONMENT),
        ("Quelles variables d'environnement sont utilisées ?", Overview.ENVIRONMENT),
        ("¿Qué variables de entorno usa?", Overview.ENVIRONMENT),
        ("Quais variáveis de ambiente são usadas?", Overview.ENVIRONMENT),
        ("有哪些环境变量？", Overview.ENVIRONMENT),
        ("使用する環境変数は？", Overview.ENVIRONMENT),
        ("Wie installiere ich es?", Overview.START),
        ("Sous quelle licence est ce projet ?", Overview.LICENCE),
        ("Quelles sont les dépendances du projet ?", Overview.DEPENDENCIES),
        ("Qui sont les auteurs ?", Overview.PEOPLE),
        ("Comment signaler une faille de sécurité ?", Overview.SECURITY),
        ("Qu'est-ce qui a changé dans la dernière version ?", Overview.RELEASE),
        ("Comment l'installer ?", Overview.START),
        ("Que fait ce projet ?", Overview.INTRODUCTION),
        ("¿Cuál es la licencia?", Overview.LICENCE),
        ("Cual es la licencia", Overview.LICENCE),
        ("¿De qué bibliotecas depende?", Overview.DEPENDENCIES),
        ("¿Quién lo mantiene?", Overview.PEOPLE),
        ("¿Dónde está definida la integración continua?", Overview.CHECKS),
        ("¿Qué versión es?", Overview.VERSION),
        ("¿Cómo lo instalo?", Overview.START),
        ("¿Cómo ejecuto las pruebas?", Overview.WORK),
        ("Qual é a licença deste projeto?", Overview.LICENCE),
        ("Quais são as dependências?", Overview.DEPENDENCIES),
        ("Quem mantém o projeto?", Overview.PEOPLE),
        ("O que mudou na última versão?", Overview.RELEASE),
        ("Como instalo?", Overview.START),
        ("O que é este projeto?", Overview.INTRODUCTION),
        ("这个项目用什么许可证？", Overview.LICENCE),
        ("有哪些依赖？", Overview.DEPENDENCIES),
        ("谁维护这个项目？", Overview.PEOPLE),
        ("CI 在哪里配置？", Overview.CHECKS),
        ("如何报告安全漏洞？", Overview.SECURITY),
        ("当前版本是多少？", Overview.VERSION),
        ("最新版本有什么变化？", Overview.RELEASE),
        ("如何安装？", Overview.START),
        ("このプロジェクトのライセンスは何ですか？", Overview.LICENCE),
        ("依存関係は何ですか？", Overview.DEPENDENCIES),
        ("メンテナーは誰ですか？", Overview.PEOPLE),
        ("脆弱性はどこに報告しますか？", Overview.SECURITY),
        ("現在のバージョンは？", Overview.VERSION),
        ("インストール方法は？", Overview.START),
        ("Worum geht es in diesem Projekt?", Overview.INTRODUCTION),
        ("Comment installer le projet ?", Overview.START),
        ("que hace este proyecto", Overview.INTRODUCTION),
        ("O que faz este projeto?", Overview.INTRODUCTION),
        ("Como está organizado o código?", Overview.STRUCTURE),
        ("Come si installa il progetto?", Overview.START),
        ("Hoe voer ik de tests uit?", Overview.WORK),
        ("Что делает этот проект?", Overview.INTRODUCTION),
        ("Jak uruchomić testy?", Overview.WORK),
        ("Projeyi nasıl kurarım?", Overview.START),
        ("这个项目是做什么的？", Overview.INTRODUCTION),
        ("如何运行测试", Overview.WORK),
        ("このプロジェクトは何ですか？", Overview.INTRODUCTION),
        ("インストール方法を教えてください", Overview.START),
        ("ライセンスは何ですか", Overview.LICENCE),
        ("이 프로젝트는 무엇인가요?", Overview.INTRODUCTION),
        ("코드 구조를 설명해줘", Overview.STRUCTURE),
    ],
)  # fmt: skip
def test_a_question_for_a_fact_in_another_language(asked: str, overview: Overview) -> None:
    assert asked_for(asked) is overview


@pytest.mark.parametrize(
    "asked",
    [
        "Was macht die Funktion parse?",
        "¿Cómo se ejecuta una consulta?",
        "O que faz o componente de pagamento?",
        "Как установить драйвер?",
        "这个函数是做什么的？",
        "怎么安装插件？",
        "テストデータの作り方",
        "플러그인은 어떻게 설치하나요?",
        "Wo wird die Lizenz geprüft?",
        "Welche Abhängigkeiten hat der Warenkorb?",
        "Wie installiere ich das Plugin?",
        "Was macht der Test?",
        "Qui appelle la fonction ?",
        "Où est vérifiée la licence ?",
        "¿Dónde se comprueba la licencia?",
        "¿Cómo instalo el complemento?",
        "¿Qué es una dependencia?",
        "Onde a versão é lida?",
        "Como instalo o plugin?",
        "许可证在哪里检查？",
        "如何安装插件？",
        "依赖如何解析？",
        "ライセンスはどこで検証されますか？",
        "プラグインのインストール方法は？",
    ],
)
def test_a_question_about_a_part_in_another_language_is_not_for_a_fact(asked: str) -> None:
    assert asked_for(asked) is None


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("Unter welcher Lizenz steht Okio?", "Okio"),
        ("Comment installer zustand ?", "zustand"),
        ("¿Quién mantiene mdbook?", "mdbook"),
        ("如何安装 zustand？", "zustand"),
        ("zustand のライセンスは？", "zustand"),
    ],
)
def test_the_name_of_the_project_stands_for_the_whole_in_another_language(asked: str, name: str) -> None:
    assert maybe_project(asked) == name


def test_a_name_beside_writing_without_blanks_stands_for_the_project() -> None:
    assert maybe_project("zustandとは何ですか？") == "zustand"
