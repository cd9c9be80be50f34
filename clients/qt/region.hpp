// SPDX-License-Identifier: MIT
#pragma once

#include <QMap>
#include <QPointer>
#include <QPolygonF>
#include <QQuickItem>
#include <QQuickWindow>
#include <QSet>
#include <QStringList>
#include <QTransform>
#include <QVariantList>
#include <QVariantMap>

class Gestured;

/// An item that is a region of the panel as long as it is visible and enabled. It follows its geometry. As in all of Qt Quick, an
/// item that is transparent can be touched.
class Region : public QQuickItem {
    Q_OBJECT
    QML_NAMED_ELEMENT(GesturedRegion)
    /// The id of the region after the prefix of `Gestured`; without one, a number. Of several visible items with a name, the first is
    /// the region.
    Q_PROPERTY(QString name MEMBER m_name NOTIFY definitionChanged)
    /// As in `gestures` of a [[region]]: words and objects.
    Q_PROPERTY(QVariantList gestures MEMBER m_gestures NOTIFY definitionChanged)
    /// Further keys of the [[region]], such as `margin`.
    Q_PROPERTY(QVariantMap keys MEMBER m_keys NOTIFY definitionChanged)
    /// Whether a `press` is under way.
    Q_PROPERTY(bool pressed READ isPressed NOTIFY pressedChanged)

public:
    explicit Region(QQuickItem *parent = nullptr);
    ~Region() override;

    bool isPressed() const { return m_isPressed; }
    QString id() const;
    /// Whether the item is visible and enabled in a visible window.
    bool isShown() const;
    /// Finds out where the item is. Returns false if it cannot be touched there.
    bool updateOutline();
    /// The region as JSON, after `updateOutline` of all regions. It lies in the nearest ancestor among `possible`.
    QByteArray definition(const QSet<const QQuickItem *> &possible);
    /// The places of the item and its ancestors among their siblings, in the order in which they are painted.
    QList<QPair<qreal, int>> paintOrder() const;
    void take(const QVariantMap &line);
    /// Cancels the gestures that have begun, because the item will not receive their end.
    void cancelAll();
    /// Reports something at the item's place in its file.
    void warn(const QString &message) const;
    void warnOfSameName();

signals:
    void definitionChanged();
    void pressedChanged();
    /// Positions are in the item's coordinates.
    void tapped(const QPointF &position, int count);
    void longPressed(const QPointF &position);
    void repeated(int n);
    void swiped(const QString &direction, qreal velocity);
    void strokeDrawn(const QString &name, qreal score);
    /// `phase` is "begin", "update", "end" or "cancel"; `translation`, since the begin, is in the units of the item's `x` and `y`.
    void dragged(const QString &phase, const QPointF &translation);
    void pinched(const QString &phase, qreal scale);
    void rotated(const QString &phase, qreal angle);
    /// `steps` is 0 if the dial has no steps.
    void turned(const QString &phase, qreal angle, int steps);
    void chainDrawn(const QString &name);
    void patternDrawn();
    /// Any gesture, by the keys of its line in docs/protocol.md.
    void gesture(const QVariantMap &line);

protected:
    void componentComplete() override;
    void itemChange(ItemChange change, const ItemChangeData &data) override;

private:
    QTransform sceneToOutput() const;
    QPointF fromOutput(const QVariantMap &line, QPointF point) const;
    QPointF position(const QVariantMap &line) const;
    QPointF translation(const QVariantMap &line) const;
    void setPressed(bool isPressed);
    void schedule();

    QString m_name, m_number;
    QVariantList m_gestures;
    QVariantMap m_keys;
    bool m_isPressed = false, m_hasWarned = false;
    QPointer<Gestured> m_connection;
    QMetaObject::Connection m_visibility;
    /// The last lines of the gestures that have begun, by their names.
    QMap<QString, QVariantMap> m_begun;
    /// The part of the item that no ancestor clips, and its bounding box, in parts of the output.
    QPolygonF m_outline;
    QRectF m_bounds;
    /// The last definition, and what it was made from.
    QByteArray m_definition;
    QPolygonF m_definedOutline;
    QRectF m_definedBox;
    QStringList m_definedIds;
};
